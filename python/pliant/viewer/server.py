"""The server behind the viewer: viser's, on a socket of ours and behind a gate.

viser listens on all addresses, takes the next port when one is in use, knows no token and logs every refused
connection. Here the socket is bound before viser starts (127.0.0.1 unless asked otherwise; a port in use is an error
that says so), and a gate looks at every request before viser does: host, origin, token, protocol, number of
connections. What is refused is logged once per reason, and the simulation goes on.
"""

import contextlib
import hmac
import http
import logging
import os
import secrets
import socket
import sys
import urllib.parse
import webbrowser

from . import ViewerError

_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_MOST_CONNECTIONS = 64
_MOST_BYTES = 4 * 1024 * 1024  # of one message from a browser; they send clicks and numbers
_DEFAULT_PORT = 8080
# nothing is fetched from elsewhere, whatever the page would like to
_POLICY = (
    "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval'; connect-src 'self' data: blob: "
    "ws: wss:"
)
log = logging.getLogger("pliant.viewer")


def import_viser():
    try:
        import viser
    except ModuleNotFoundError as problem:
        raise ViewerError(
            f"the viewer needs the package {problem.name}: pip install 'pliant[viewer]'. Without it, "
            "pliant.viewer.save_html (pliant view FILE --html out.html) writes pages that play"
        ) from None
    return viser


def listening_socket(host, port):
    """A bound socket. A port that was asked for must be free; without one, 8080 or any other that is."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port or 0, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError) as problem:
        raise ViewerError(f"'{host}' is no address to listen on: {problem}") from None
    for wanted in [port] if port is not None else [_DEFAULT_PORT, 0]:
        out = socket.socket(family, socket.SOCK_STREAM)
        try:
            out.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            out.bind((address[0], wanted, *address[2:]))
            return out
        except OSError as problem:
            out.close()
            reason = problem.strerror or str(problem)
    if port is None:
        raise ViewerError(f"cannot listen on {host}: {reason}")
    raise ViewerError(f"port {port} of {host} cannot be used: {reason}. Choose another, or none for a free one")


class _OncePerReason(logging.Filter):
    """Lets the first record of a kind pass, in one line and without a traceback."""

    def __init__(self):
        super().__init__()
        self.seen = set()

    def filter(self, record):
        reason = record.getMessage()
        if record.exc_info:
            error = record.exc_info[1]
            reason += f" ({type(error).__name__})"
            record.exc_info = record.exc_text = None
        key = reason.split(" from ")[0]
        if record.levelno < logging.WARNING or key in self.seen:
            return False
        self.seen.add(key)
        record.msg, record.args = f"viewer: {reason}; further ones of this kind are not listed", ()
        return True


class Gate:
    """Decides about every request: passes (None) or refuses (a response)."""

    def __init__(self, viser, local, token):
        self.protocol, self.local, self.token = f"viser-v{viser.__version__}", local, token
        self.open = 0
        self.refused = 0

    def response(self, status, text, **headers):
        from websockets.datastructures import Headers
        from websockets.http11 import Response

        body = (text + "\n").encode()
        fields = Headers({"Content-Type": "text/plain; charset=utf-8", "Content-Length": str(len(body)), **headers})
        return Response(status.value, status.phrase, fields, body)

    def refuse(self, status, text):
        self.refused += 1
        log.warning("refused a request: %s", text)
        return self.response(status, text)

    def has_token(self, request, cookie):
        given = urllib.parse.parse_qs(urllib.parse.urlsplit(request.path).query).get("token", [""])[0]
        for part in request.headers.get("Cookie", "").split(";"):
            name, _, value = part.strip().partition("=")
            if name == cookie:
                given = given or value
        return hmac.compare_digest(given.encode(), self.token.encode())

    def look_at(self, request, port, serve):
        """`serve` answers what passes."""
        host = request.headers.get("Host", "")
        name = urllib.parse.urlsplit("//" + host).hostname
        if self.local and name not in _LOOPBACK:  # a name of somebody else's that leads here
            return self.refuse(http.HTTPStatus.FORBIDDEN, "this viewer is for this machine only (127.0.0.1)")
        cookie = f"pliant_token_{port}"
        if self.token and not self.has_token(request, cookie):
            return self.refuse(http.HTTPStatus.UNAUTHORIZED, "the address needs ?token=…, as printed by the viewer")
        if request.headers.get("Upgrade", "").lower() == "websocket":
            origin = request.headers.get("Origin")
            if origin and urllib.parse.urlsplit(origin).netloc != host:
                return self.refuse(http.HTTPStatus.FORBIDDEN, "a page of another site must not control the viewer")
            if self.protocol not in request.headers.get("Sec-WebSocket-Protocol", ""):
                return self.refuse(http.HTTPStatus.BAD_REQUEST, "not a page of this viewer; reload it")
            return None
        answer = serve(request)
        if answer is not None and answer.status_code == 200:
            answer.headers["Content-Security-Policy"] = _POLICY
            answer.headers["X-Frame-Options"] = "SAMEORIGIN"
            if self.token:
                answer.headers["Set-Cookie"] = f"{cookie}={self.token}; HttpOnly; SameSite=Strict; Path=/"
        return answer


@contextlib.contextmanager
def _behind(gate, sock):
    """While it lasts, the server that viser starts listens on `sock`, behind the gate."""
    import websockets.asyncio.server as module

    plain = module.serve

    class Connection(module.ServerConnection):
        def connection_made(self, transport):
            gate.open += 1
            super().connection_made(transport)
            if gate.open > _MOST_CONNECTIONS:
                gate.refused += 1
                log.warning("refused a connection: there are %d already", _MOST_CONNECTIONS)
                transport.abort()

        def connection_lost(self, problem):
            gate.open -= 1
            super().connection_lost(problem)

    def serve(handler, host, port, *, process_request, **options):
        port = sock.getsockname()[1]
        options |= {"max_size": _MOST_BYTES, "logger": log, "create_connection": Connection, "open_timeout": 5}
        return plain(
            handler,
            sock=sock,
            process_request=lambda connection, request: gate.look_at(
                request, port, lambda request: process_request(connection, request)
            ),
            **options,
        )

    module.serve = serve
    try:
        yield
    finally:
        module.serve = plain


@contextlib.contextmanager
def _without_remarks():
    """viser prints lines of its own when it starts and stops."""
    import rich

    plain, rich.print = rich.print, lambda *words, **options: None
    try:
        yield
    finally:
        rich.print = plain


class Server:
    """viser's server and the address it is reached at."""

    def __init__(self, title, host=None, port=None):
        viser = import_viser()
        host = host or "127.0.0.1"
        self.local = host in _LOOPBACK
        self.token = None if self.local else secrets.token_urlsafe(24)
        self.gate = Gate(viser, self.local, self.token)
        if not any(isinstance(f, _OncePerReason) for f in log.filters):
            log.addFilter(_OncePerReason())
        sock = listening_socket(host, port)
        self.port = sock.getsockname()[1]
        with _behind(self.gate, sock), _without_remarks():
            self.viser = viser.ViserServer(host=host, port=self.port, label=title, verbose=False)
        self.viser.get_event_loop().set_exception_handler(
            lambda loop, context: log.warning("a message was refused", exc_info=_exception(context))
        )
        self._no_tunnel(viser)
        name = "127.0.0.1" if self.local else (socket.gethostname() if host in ("0.0.0.0", "::") else host)
        self.address = f"http://{name}:{self.port}/" + (f"?token={self.token}" if self.token else "")

    def _no_tunnel(self, viser):
        """A page can ask viser for an address on the internet; ours cannot."""
        for message in (viser._messages.ShareUrlRequest, viser._messages.ShareUrlDisconnect):
            with contextlib.suppress(AssertionError):
                self.viser._websock_server.unregister_handler(message)
        self.viser.gui.configure_theme(show_share_button=False, show_logo=False, control_width="large")

    def announce(self, open_browser, say=None):
        """Prints the address, or has it said by a function; opens it where there is a screen."""
        if say is not None:
            say(self.address)
        else:
            print(f"viewer: {self.address}", flush=True)
        screens = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
        has_screen = sys.platform != "linux" or any(os.environ.get(x) for x in screens)
        if not open_browser:
            return
        if not has_screen or not webbrowser.open(self.address):
            way = f": ssh -L {self.port}:127.0.0.1:{self.port} THIS_MACHINE, then open it there" if self.local else ""
            if say is None:
                print(f"viewer: no browser could be opened here. From another machine{way}", flush=True)

    def stop(self):
        with _without_remarks():
            self.viser.stop()


def _exception(context):
    error = context.get("exception")
    return (type(error), error, error.__traceback__) if error else None
