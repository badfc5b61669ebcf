"""Results in HDF5: the columns of the group 'rows', by the names that they have in a CSV file."""

from .errors import ResultError

SIGNATURE = b"\x89HDF\r\n\x1a\n"


def is_hdf5(path):
    """By what the file begins with; False for one that cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read(len(SIGNATURE)) == SIGNATURE
    except OSError:
        return False


def read_hdf5(path):
    """Units and columns by name, and the attributes of the file as texts; ResultError with a sentence."""
    try:
        import h5py
    except ModuleNotFoundError:
        raise ResultError(f"{path} is HDF5, and Python's h5py is not installed; install it (Debian: python3-h5py), or "
                          "write the run to a .csv file.", ResultError.UNAVAILABLE) from None
    try:
        with h5py.File(path, "r") as file:
            about = {key: str(value) for key, value in file.attrs.items()}
            units, columns = {}, {}
            for name, data in file["rows"].items():
                if name.endswith(("_low", "_lowest")):
                    continue                              # digits that no figure shows
                values, unit = data[()], data.attrs["units"]
                for i, part in enumerate(data.attrs["components"]):
                    units[part] = "" if unit == "1" else unit
                    columns[part] = (values[:, i] if values.ndim > 1 else values).astype(float)
            return units, columns, about
    except (OSError, KeyError, ValueError, IndexError, AttributeError) as error:
        raise ResultError(f"{path} is damaged, or no result of polhode run ({error}); run it again.") from None
