import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const commands = ['aws', 'az', 'gcloud', 'touch', 'rm', 'pwned'];

/** The effects of a script. */
interface Ran {
  /** Each call as command and arguments. */
  readonly calls: string[][];
  /** Names of the files that it created. */
  readonly files: string[];
}

/** Gives each script its own shell, folder and log. A fork of the test's process takes ten times as long as one of a shell,
 *  so one shell starts the others. Arguments: folder, log and text per script. */
const runner = `while [ $# -gt 0 ]; do
  (cd "$1" && LOG="$2" /bin/sh -c "$3") || exit
  shift 3
done`;

/** Runs a script in `sh` where every command is a stub that records its arguments, and no other command exists. */
export async function runInShell(script: string): Promise<Ran> {
  const [ran] = await runEachInShell([script]);
  if (!ran) throw new Error('The shell ran nothing');
  return ran;
}

/** Runs several scripts like `runInShell`, each in its own shell.
 *  @throws when one of them fails */
export async function runEachInShell(scripts: readonly string[]): Promise<Ran[]> {
  const home = mkdtempSync(path.join(tmpdir(), 'costkeep-script-'));
  const bin = (stubs ??= writeStubs());
  try {
    const runs = scripts.map((script, index) => {
      const folder = path.join(home, `folder-${index}`);
      const log = path.join(home, `log-${index}`);
      mkdirSync(folder);
      writeFileSync(log, '');
      return { script, folder, log };
    });
    const given = runs.flatMap(({ folder, log, script }) => [folder, log, script]);
    await promisify(execFile)('/bin/sh', ['-c', runner, 'sh', ...given], { env: { PATH: bin } });
    return runs.map(({ folder, log }) => ({ calls: callsIn(log), files: readdirSync(folder) }));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Folder of the stubs, written once per process: the temporary folder of the run is removed with it. */
let stubs: string | undefined;

function writeStubs(): string {
  const bin = mkdtempSync(path.join(tmpdir(), 'costkeep-bin-'));
  for (const command of commands) {
    const stub = path.join(bin, command);
    // Arguments end with a unit separator, calls with a record separator.
    writeFileSync(
      stub,
      `#!/bin/sh\n{ printf '%s\\037' ${command} "$@"; printf '\\036'; } >> "$LOG"\necho stub-output\n`,
    );
    chmodSync(stub, 0o755);
  }
  return bin;
}

function callsIn(log: string): string[][] {
  const calls = readFileSync(log, 'utf8').split('\u001e').slice(0, -1);
  return calls.map((call) => call.split('\u001f').slice(0, -1));
}
