import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

const module = path.resolve(import.meta.dirname, '../../../src/kit/secrets/keys.ts');
const other = 65_534;

/** Reads a key as another user.
 *  @returns the error */
function readAs(uid: number, dataDir: string): string {
  const script = `import(process.argv[1]).then((keys) => keys.existingKeys(process.argv[2], 'jwt.key')).catch((error) => console.log(error.message))`;
  const options = { uid, gid: uid, cwd: '/', encoding: 'utf8' } as const;
  return spawnSync(process.execPath, ['-e', script, module, dataDir], options).stdout;
}

const canRead = spawnSync('cat', [module, process.execPath], { uid: other, cwd: '/', stdio: 'ignore' }).status === 0;

describe.skipIf(process.getuid?.() !== 0 || !canRead)('a key that belongs to another user (needs root)', () => {
  const aKey = (mode: number) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'costkeep-keys-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    chmodSync(folder, mode);
    writeFileSync(path.join(folder, 'jwt.key'), Buffer.alloc(32).toString('base64'), { mode: 0o600 });
    return folder;
  };

  it.each([0o755, 0o700])('in a data folder with mode %o names both users', (mode) => {
    const folder = aKey(mode);
    expect(readAs(other, folder)).toBe(
      `DATA_DIR: ${folder} belongs to user 0, not to ${other}; run: chown ${other} ${folder}; or set another DATA_DIR\n`,
    );
  });

  it('in our data folder names the file', () => {
    const folder = aKey(0o700);
    chownSync(folder, other, other);
    const file = path.join(folder, 'jwt.key');
    expect(readAs(other, folder)).toBe(`${file} belongs to user 0, not to ${other}; run: chown ${other} ${file}\n`);
  });
});
