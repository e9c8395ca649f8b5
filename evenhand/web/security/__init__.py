"""What stands between a request and the pages: hosts, origins, sizes of bodies, and the headers of every answer."""

from evenhand.web.security.bodies import BodyLimit, BodyTooLarge
from evenhand.web.security.headers import Headers
from evenhand.web.security.origins import Origins

__all__ = ["BodyLimit", "BodyTooLarge", "Headers", "Origins"]
