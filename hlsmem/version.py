"""The one place that says which version this is."""

VERSION = "0.1.0"
TOOL = f"hlsmem {VERSION}"


def described() -> str:
    """Return the version as the command says it, with that of libclang, which reads C and C++."""
    from importlib import metadata

    for package in ("libclang", "libclang-ng"):
        try:
            return f"{TOOL}, {package} {metadata.version(package)}"
        except metadata.PackageNotFoundError:
            continue
    return f"{TOOL}, no libclang: C and C++ are not read; pip install libclang"


def libraries() -> dict[str, str]:
    """The versions of the libraries that plans depend on, as PyPI counts them; "" for none."""
    from importlib import metadata

    found = {}
    for name, package in (("isl", "islpy"), ("HiGHS", "highspy")):
        try:
            found[name] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[name] = ""
    return found
