"""The proc-receive hook of the bare repositories: asks the fake GitHub, which may refuse, and moves the refs itself.

A program of its own, started by git for every push with the server's port; needs only the interpreter. When nobody
answers at the port, the push goes through as on any bare repository.
"""

from __future__ import annotations

# There are thousands of pushes, and loading `socket` and `json` would take three times as long as all the rest.
import _socket
import os
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


def ask(port: int, question: list[str]) -> list[str] | None:
    """What the server answers to these lines, in lines."""
    body = "\n".join(question).encode("utf-8", "surrogateescape")
    head = f"POST /_push HTTP/1.0\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    connection = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
    connection.settimeout(60)
    try:
        connection.connect(("127.0.0.1", port))
        connection.sendall(head + body)
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    except OSError:
        return None
    finally:
        connection.close()
    return answer.partition(b"\r\n\r\n")[2].decode("utf-8", "surrogateescape").split("\n")


def main() -> int:
    atomic = any(b"atomic" in packet for packet in read_packets())
    write_packets("version=1\0")
    commands = [line.decode("utf-8", "surrogateescape") for line in read_packets()]
    refs = [command.split(" ", 2)[2] for command in commands]
    answer = ask(int(sys.argv[1]), [os.getcwd(), "atomic" if atomic else "", *commands])  # noqa: PTH109
    if answer is None:
        write_packets(*(line for ref in refs for line in (f"ok {ref}", "option fall-through")))
        return 0
    # Whether the answer is lost, what becomes of each ref, and the words to show.
    lost, said = answer[0], answer[1 : 1 + len(refs)]
    sys.stderr.write("\n".join(answer[1 + len(refs) :]))
    sys.stderr.flush()
    if lost:
        return 1
    write_packets(*said)
    return 0


if __name__ == "__main__":
    sys.exit(main())
