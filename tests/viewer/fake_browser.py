"""A client of the viewer without a browser: connects, says where its camera is, counts what comes."""

import threading

import msgspec
import viser
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

CAMERA = {
    "type": "ViewerCameraMessage", "wxyz": (1.0, 0.0, 0.0, 0.0), "position": (3.0, 0.0, 1.0), "fov": 1.0, "near": 0.01,
    "far": 1000.0, "image_height": 480, "image_width": 640, "look_at": (0.0, 0.0, 0.0), "up_direction": (0.0, 0.0, 1.0),
}  # fmt: skip


class FakeBrowser:
    def __init__(self, address, **options):
        options.setdefault("subprotocols", [f"viser-v{viser.__version__}"])
        self.socket = connect(address.replace("http://", "ws://"), max_size=None, compression=None, **options)
        self.messages, self.bytes = 0, 0
        self.send(CAMERA)
        self.thread = threading.Thread(target=self._listen, daemon=True)
        self.thread.start()

    def send(self, message):
        self.socket.send(msgspec.msgpack.encode(message))

    def _listen(self):
        try:
            for message in self.socket:
                self.messages += 1
                self.bytes += len(message)
        except ConnectionClosed:
            pass

    def close(self):
        self.socket.close()
