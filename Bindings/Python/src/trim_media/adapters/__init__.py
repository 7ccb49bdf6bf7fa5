"""Tables of paths in, tables of facts, verdicts, findings or cuts out: `ray`, `spark`, `dask`, and
`local` for this machine only.

All of them return the same rows (`Documentation/Fleet.md` describes the columns), exactly one for
each path; a file that cannot be read or cut is a row with an `error_code`.
"""
