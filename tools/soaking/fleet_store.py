"""A local S3 server for tools/soak fleet."""

import contextlib
import os
import socket
import subprocess
import sys
import time


@contextlib.contextmanager
def s3_server(folder):
    """Runs the server; yields the environment variables with which pyarrow finds it."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    with (folder / "s3.log").open("wb") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
            stdout=log, stderr=log, start_new_session=True)
        try:
            wait_for(port, server)
            yield {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}", "AWS_ACCESS_KEY_ID": "soak",
                   "AWS_SECRET_ACCESS_KEY": "soak", "AWS_DEFAULT_REGION": "us-east-1",
                   "AWS_EC2_METADATA_DISABLED": "true"}
        finally:
            server.terminate()
            server.wait()


def wait_for(port, server):
    end = time.monotonic() + 60
    while time.monotonic() < end and server.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.1)
    raise SystemExit("soak: the S3 server did not start: pip install 'moto[server]'")


def url(key, environment):
    """Returns a URL that names the server: not every version of pyarrow reads AWS_ENDPOINT_URL."""
    host = environment["AWS_ENDPOINT_URL"].removeprefix("http://")
    return f"s3://clips/{key}?scheme=http&endpoint_override={host}&region=us-east-1"


def upload(paths, environment, prefix):
    """Uploads files to the bucket `clips`; returns their URLs and the file system."""
    os.environ.update(environment)
    from pyarrow import fs

    store = fs.S3FileSystem(
        endpoint_override=environment["AWS_ENDPOINT_URL"], allow_bucket_creation=True)
    store.create_dir("clips")
    urls = []
    for path in paths:
        key = f"{prefix}/{path.name}"
        with store.open_output_stream(f"clips/{key}") as target:
            target.write(path.read_bytes())
        urls.append(url(key, environment))
    return urls, store
