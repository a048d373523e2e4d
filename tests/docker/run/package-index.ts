import { execa } from 'execa';

/** Dockerfile of a task whose image has pip and uv. */
export const INSTALLERS = `FROM skillpair/base:1
RUN apt-get update && apt-get install -y --no-install-recommends python3-pip && rm -rf /var/lib/apt/lists/*
RUN pip install --break-system-packages --no-cache-dir uv==0.9.7
`;

/** An index of Python packages in a container of its own on the engine's default bridge. It serves `judge` 1.0, and says what was asked of it. */
export interface PackageIndex extends AsyncDisposable {
  /** Of the simple index. */
  readonly url: string;
  readonly host: string;
  /** How often the wheel went over the wire whole. */
  wheelsSent(): Promise<number>;
}

const BASE = process.env.SKILLPAIR_TEST_BASE ?? 'skillpair/base:1';
const LABEL = 'skillpair-test=package-index';

/** A judge that asks for 42 in /workspace/out/answer.txt, and a server that answers with what a cache may keep. */
const SERVE = `
import http.server, os, zipfile
os.makedirs("/srv/simple/judge")
name = "judge-1.0.dist-info"
code = '''
from pathlib import Path
def main():
    answer = Path("/workspace/out/answer.txt")
    right = answer.exists() and answer.read_text().strip() == "42"
    Path("/logs/verifier/reward.txt").write_text("1" if right else "0")
    print("judged")
'''
with zipfile.ZipFile("/srv/simple/judge/judge-1.0-py3-none-any.whl", "w") as wheel:
    wheel.writestr("judge/__init__.py", code)
    wheel.writestr(name + "/METADATA", "Metadata-Version: 2.1\\nName: judge\\nVersion: 1.0\\n")
    wheel.writestr(name + "/WHEEL", "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr(name + "/entry_points.txt", "[console_scripts]\\njudge = judge:main\\n")
    files = ["judge/__init__.py", name + "/METADATA", name + "/WHEEL", name + "/entry_points.txt", name + "/RECORD"]
    wheel.writestr(name + "/RECORD", "".join(file + ",,\\n" for file in files))
with open("/srv/simple/judge/judge-1.0-py3-none-any.whl.metadata", "w") as metadata:
    metadata.write("Metadata-Version: 2.1\\nName: judge\\nVersion: 1.0\\n")
link = '<a href="judge-1.0-py3-none-any.whl" data-dist-info-metadata="true" data-core-metadata="true">judge-1.0-py3-none-any.whl</a>'
with open("/srv/simple/judge/index.html", "w") as page:
    page.write(link)
class Handler(http.server.SimpleHTTPRequestHandler):
    def end_headers(self):
        if self.path.endswith(".whl"):
            self.send_header("Cache-Control", "max-age=31536000, immutable")
        super().end_headers()
os.chdir("/srv")
http.server.test(Handler, port=8000, bind="0.0.0.0")
`;

/** Starts it. Disposing removes its container. */
export async function startPackageIndex(): Promise<PackageIndex> {
  const { stdout: id } = await execa('docker', [
    ...['run', '-d', '--init', '--label', LABEL, BASE],
    ...['python3', '-u', '-c', SERVE],
  ]);
  const format = '{{.NetworkSettings.IPAddress}}';
  const { stdout: host } = await execa('docker', ['inspect', '-f', format, id]);
  return {
    url: `http://${host}:8000/simple`,
    host,
    wheelsSent: async () => {
      const { stderr, stdout } = await execa('docker', ['logs', id]);
      return `${stdout}\n${stderr}`.split('\n').filter((line) => /"GET \S+\.whl \S+" 20[06]/.test(line))
        .length;
    },
    [Symbol.asyncDispose]: async () => void (await execa('docker', ['rm', '-f', id])),
  };
}
