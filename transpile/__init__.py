"""hot2tf: OpenStack Heat templates to Terraform, with nothing lost silently.

The easy rule to break: what stands in `__all__` is the public interface, and the only one.
"""

from transpile.pipeline import Conversion, convert
from transpile.version import __version__

__all__ = ["Conversion", "__version__", "convert"]
