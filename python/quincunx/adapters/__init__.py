"""The five games in other libraries' clothes, one module a library, each an extra:
`openspiel`, `pettingzoo` and `gymnasium`. Nothing here is imported by `import quincunx`.
"""
