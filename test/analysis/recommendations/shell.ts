import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const commands = ['aws', 'az', 'gcloud', 'touch', 'rm', 'pwned'];

/** Runs a script in `sh` where every command is a stub that records its arguments, and no other command exists.
 *  @returns the calls, each as command and arguments, and the files that the script created */
export async function runInShell(script: string): Promise<{ calls: string[][]; files: string[] }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'costkeep-script-'));
  const bin = mkdtempSync(path.join(tmpdir(), 'costkeep-bin-'));
  const log = path.join(bin, 'log');
  try {
    writeFileSync(log, '');
    for (const command of commands) {
      const stub = path.join(bin, command);
      // Arguments end with a unit separator, calls with a record separator.
      writeFileSync(
        stub,
        `#!/bin/sh\n{ printf '%s\\037' ${command} "$@"; printf '\\036'; } >> '${log}'\necho stub-output\n`,
      );
      chmodSync(stub, 0o755);
    }
    await promisify(execFile)('/bin/sh', ['-c', script], { cwd: folder, env: { PATH: bin } });
    const calls = readFileSync(log, 'utf8').split('\u001e').slice(0, -1);
    return { calls: calls.map((call) => call.split('\u001f').slice(0, -1)), files: readdirSync(folder) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(bin, { recursive: true, force: true });
  }
}
