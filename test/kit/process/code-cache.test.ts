import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';

const source = path.resolve(import.meta.dirname, '../../../src/kit/process/code-cache.ts');

it('creates the data folder and the cache for their user only', () => {
  const base = fs.mkdtempSync(path.join(os.tmpdir(), 'costkeep-code-'));
  try {
    const dataDir = path.join(base, 'data');
    const script = `process.umask(0o022); (await import(${JSON.stringify(source)})).useCodeCache(${JSON.stringify(dataDir)})`;
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toMatchObject({ status: 0 });
    const modeOf = (name: string) => fs.statSync(path.join(dataDir, name)).mode & 0o777;
    // As root, the user of the embedded database passes through it.
    expect(modeOf('.')).toBe(process.getuid?.() === 0 ? 0o711 : 0o700);
    expect([modeOf('cache'), modeOf('cache/code')]).toEqual([0o700, 0o700]);
  } finally {
    fs.rmSync(base, { recursive: true, force: true });
  }
});
