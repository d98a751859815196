"""Jobs that people start, one file each: tournaments, games against a person, lists of what there is, notebooks.

``cli.py`` is the command line. It, the files of arguments (``args.py`` and ``*_args.py``) and this one import neither
numba nor numpy, so that ``narabe --help`` answers at once; each job is imported when it is asked for.
"""
