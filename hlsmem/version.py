"""The one place that says which version this is."""

VERSION = "0.1.0"
TOOL = f"hlsmem {VERSION}"


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
