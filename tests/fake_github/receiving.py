"""The proc-receive hook of the bare repositories: asks the fake GitHub, which may refuse, and moves the refs itself.

A program of its own, started by git for every push with the server's port; needs only the standard library. When
nobody answers at the port, the push goes through as on any bare repository.
"""

from __future__ import annotations

import json
import os
import socket
import sys


def read_packet() -> bytes | None:
    """One pkt-line; None for a flush."""
    length = int(sys.stdin.buffer.read(4), 16)
    return None if length == 0 else sys.stdin.buffer.read(length - 4)


def read_packets() -> list[bytes]:
    packets = []
    while (packet := read_packet()) is not None:
        packets.append(packet.rstrip(b"\n"))
    return packets


def write_packets(*lines: str) -> None:
    for line in lines:
        data = line.encode()
        sys.stdout.buffer.write(b"%04x" % (len(data) + 4) + data)
    sys.stdout.buffer.write(b"0000")
    sys.stdout.buffer.flush()


def ask(port: int, question: dict[str, object]) -> dict[str, object] | None:
    body = json.dumps(question).encode()
    head = f"POST /_push HTTP/1.0\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
            connection.sendall(head + body)
            answer = b"".join(iter(lambda: connection.recv(65536), b""))
    except OSError:
        return None
    return json.loads(answer.partition(b"\r\n\r\n")[2])


def main() -> int:
    atomic = any(b"atomic" in packet for packet in read_packets())
    write_packets("version=1\0")
    commands = [line.decode("utf-8", "surrogateescape").split(" ", 2) for line in read_packets()]
    question: dict[str, object] = {"folder": os.getcwd(), "commands": commands, "atomic": atomic}  # noqa: PTH109
    answer = ask(int(sys.argv[1]), question)
    if answer is None:
        write_packets(*(line for _, _, ref in commands for line in (f"ok {ref}", "option fall-through")))
        return 0
    sys.stderr.write(str(answer["words"]))
    sys.stderr.flush()
    if answer["lost"]:
        return 1
    refused: dict[str, str] = answer["refused"]  # type: ignore[assignment]
    write_packets(*(f"ng {ref} {refused[ref]}" if ref in refused else f"ok {ref}" for _, _, ref in commands))
    return 0


if __name__ == "__main__":
    sys.exit(main())
