"""
Runs LocalStack's Lambdas as processes of this machine: LAMBDA_RUNTIME_EXECUTOR=process. Each environment is a Node with
AWS's runtime client (aws-lambda-ric) that speaks with a Runtime API of its own. Its time limit and its memory are those
of the function: a process that holds more is killed, as Lambda does.
"""
import json
import logging
import os
import queue
import subprocess
import tempfile
import threading
import time
from concurrent.futures import Future, TimeoutError
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from localstack.services.lambda_.invocation.executor_endpoint import StatusErrorException
from localstack.services.lambda_.invocation.lambda_models import InvocationResult
from localstack.services.lambda_.invocation.plugins import RuntimeExecutorPlugin
from localstack.services.lambda_.invocation.runtime_executor import RuntimeExecutor
from emulator_plugin.states import DEADLINES, KILLS, TIMEOUTS, as_text

LOG = logging.getLogger(__name__)
NODE = os.environ.get("LAMBDA_PROCESS_NODE", "node")
RIC = os.environ["LAMBDA_PROCESS_RIC"]
MEMORY_WATCH_SECONDS = 0.1
PAGE = os.sysconf("SC_PAGE_SIZE")


class ProcessExecutorPlugin(RuntimeExecutorPlugin):
    name = "process"

    def load(self, *args, **kwargs):
        return ProcessExecutor


class ProcessExecutor(RuntimeExecutor):
    def __init__(self, id, function_version):
        super().__init__(id=id, function_version=function_version)
        self.waiting = queue.Queue()  # what the runtime gets by `next`
        self.ready = Future()
        self.answer = None
        self.process = None
        self.environment = {}
        self.peak_mib = 0
        self.folder = tempfile.mkdtemp(prefix=f"lambda-{function_version.id.function_name}-")
        self.log_path = os.path.join(self.folder, ".log")
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self.server.daemon_threads = True

    def start(self, env_vars):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.environment = {key: str(value) for key, value in env_vars.items()}
        self._spawn()
        self.ready.result(timeout=30)

    def _spawn(self):
        config = self.function_version.config
        code = str(config.code.get_unzipped_code_location())
        self.ready = Future()
        self.waiting.put(None)  # A killed process may still wait at its `next`.
        self.waiting = queue.Queue()
        environment = {
            **self.environment,
            "PATH": os.environ["PATH"],
            "TMPDIR": self.folder,
            "LAMBDA_TASK_ROOT": code,
            "AWS_LAMBDA_RUNTIME_API": f"127.0.0.1:{self.server.server_port}",
            "AWS_EC2_METADATA_DISABLED": "true",
        }
        environment.pop("TZ", None)
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(
                [NODE, RIC, config.handler], cwd=code, env=environment, stdout=log, stderr=subprocess.STDOUT
            )
        threading.Thread(target=self._watch, args=(self.process,), daemon=True).start()

    def _watch(self, process):
        """Until the process has ended; it is killed where it holds more memory than its function has."""
        limit = self.function_version.config.memory_size
        while process.poll() is None:
            held = _resident_mib(process.pid)
            self.peak_mib = max(self.peak_mib, held)
            if held > limit:
                process.kill()
                break
            time.sleep(MEMORY_WATCH_SECONDS)
        code = process.wait()
        if process is not self.process:
            return
        ended = f"exited with exit status {code}" if code >= 0 else "exited with error: signal: killed"
        said = json.dumps({"errorType": "Runtime.ExitError", "errorMessage": f"RequestId: Error: Runtime {ended}"}).encode()
        if not self.ready.done():
            self.ready.set_exception(StatusErrorException("Environment startup failed", payload=said))
        if self.answer is not None and not self.answer.done():
            self.answer.set_result((said, True))

    def invoke(self, payload):
        name, request = self.function_version.id.function_name, payload["invoke-id"]
        limit = self.function_version.config.timeout
        event = (name, as_text(payload["payload"]))
        promised, seconds = DEADLINES.pop(event, limit), TIMEOUTS.pop(event, limit)
        started, at = time.time(), os.path.getsize(self.log_path)
        if self.process.poll() is not None:
            self._spawn()
            self.ready.result(timeout=30)
        self.answer = Future()
        kill = KILLS.pop(event, None)
        if kill is not None:
            threading.Timer(kill, self.process.kill).start()
        self.waiting.put({**payload, "deadline": int((started + promised) * 1000)})
        try:
            body, is_error = self.answer.result(timeout=seconds)
        except TimeoutError:
            self.process.kill()
            said = f"RequestId: {request} Error: Task timed out after {seconds:.2f} seconds"
            body, is_error = json.dumps({"errorType": "Sandbox.Timedout", "errorMessage": said}).encode(), True
        took = (time.time() - started) * 1000
        with open(self.log_path, "rb") as log:
            log.seek(at)
            lines = log.read().decode(errors="replace")
        report = f"REPORT RequestId: {request}\tDuration: {took:.2f} ms\tMax Memory Used: {self.peak_mib} MB"
        logs = f"START RequestId: {request}\n{lines}END RequestId: {request}\n{report}\n"
        return InvocationResult(request, body, is_error=is_error, logs=logs)

    def stop(self):
        process, self.process = self.process, None
        if self.answer is not None and not self.answer.done():
            said = {"errorType": "Runtime.ExitError", "errorMessage": "The environment was taken away."}
            self.answer.set_result((json.dumps(said).encode(), True))
        if process is not None and process.poll() is None:
            process.kill()
            process.wait()
        self.server.shutdown()

    def get_address(self):
        return "127.0.0.1"

    def get_endpoint_from_executor(self):
        return "127.0.0.1"

    def get_runtime_endpoint(self):
        return f"http://127.0.0.1:{self.server.server_port}"

    def get_logs(self):
        with open(self.log_path, errors="replace") as log:
            return log.read()

    @classmethod
    def prepare_version(cls, function_version):
        if function_version.config.code:
            function_version.config.code.prepare_for_execution()

    @classmethod
    def cleanup_version(cls, function_version):
        pass


def _resident_mib(pid):
    try:
        with open(f"/proc/{pid}/statm") as statm:
            return int(statm.read().split()[1]) * PAGE // 2**20
    except OSError:
        return 0


def _handler_of(executor):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *args):
            pass

        def _answer(self, status, body=b"{}", headers=()):
            self.send_response(status)
            for name, value in headers:
                self.send_header(name, value)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self):  # …/invocation/next
            if not executor.ready.done():
                executor.ready.set_result(True)
            job = executor.waiting.get()
            if job is None:
                self.close_connection = True
                return
            self._answer(
                200,
                job["payload"].encode(),
                [
                    ("Lambda-Runtime-Aws-Request-Id", job["invoke-id"]),
                    ("Lambda-Runtime-Deadline-Ms", str(job["deadline"])),
                    ("Lambda-Runtime-Invoked-Function-Arn", job["invoked-function-arn"]),
                    ("Lambda-Runtime-Trace-Id", job["trace-id"]),
                ],
            )

        def do_POST(self):  # …/invocation/ID/response, …/invocation/ID/error, …/init/error
            length = self.headers.get("Content-Length")
            body = self.rfile.read(int(length)) if length else self._chunks()
            if self.path.endswith("/init/error"):
                if not executor.ready.done():
                    executor.ready.set_exception(StatusErrorException("Environment startup failed", payload=body))
            elif executor.answer is not None and not executor.answer.done():
                executor.answer.set_result((body, self.path.endswith("/error")))
            self._answer(202)

        def _chunks(self):
            body = b""
            while size := int(self.rfile.readline().split(b";")[0], 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return body

    return Handler
