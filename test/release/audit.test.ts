import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { root } from './package.ts';

const id = 'GHSA-aaaa-bbbb-cccc';
const advisory = { pdfkit: [advise('pdfkit')] };
const reason = 'The function is not called by Costkeep.';

function advise(name: string) {
  const url = `https://github.com/advisories/${id}`;
  return { id: 1, url, title: 'Runs code', severity: 'high', vulnerable_versions: '*', name, cwe: [] };
}

/** Runs the check against a registry with these advisories; null: it does not support audits. */
async function audit(advisories: object | null, exceptions: object): Promise<{ code: number; output: string }> {
  const registry = createServer((req, res) => {
    req.resume();
    res.statusCode = advisories === null || req.method !== 'POST' ? 405 : 200;
    res.setHeader('content-type', 'application/json');
    res.end(JSON.stringify(advisories ?? {}));
  });
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'costkeep-audit-'));
  onTestFinished(() => {
    registry.close();
    fs.rmSync(folder, { recursive: true });
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  const { port } = registry.address() as AddressInfo;
  const file = path.join(folder, 'exceptions.json');
  fs.writeFileSync(file, JSON.stringify(exceptions));
  const env = { ...process.env, npm_config_registry: `http://127.0.0.1:${port}/`, npm_config_cache: folder };
  const child = spawn(process.execPath, ['test/support/audit.ts', file], { cwd: root, env });
  const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: Number(code), output: out + error };
}

describe('the dependency audit', () => {
  it('fails for an advisory, and passes while an exception accepts it', async () => {
    const found = await audit(advisory, {});
    expect(found.code).toBe(1);
    expect(found.output).toContain(`pdfkit: Runs code (high), https://github.com/advisories/${id}`);
    const accepted = await audit(advisory, { [id]: { reason, expires: '9999-12-31' } });
    expect(accepted).toEqual({ code: 0, output: 'Advisories: 1; accepted: 1\n' });
  });

  it('fails for an exception that expired, or is not used', async () => {
    const expired = await audit(advisory, { [id]: { reason, expires: '2026-01-31' } });
    expect(expired.code).toBe(1);
    expect(expired.output).toContain(`The exception ${id} expired on 2026-01-31`);
    const unused = await audit({}, { [id]: { reason, expires: '9999-12-31' } });
    expect(unused.code).toBe(1);
    expect(unused.output).toContain(`The exception ${id} is not used; remove it`);
  });

  it('passes if the registry does not support audits', async () => {
    const { code, output } = await audit(null, {});
    expect([code, output]).toEqual([0, expect.stringMatching(/^SKIPPED: the registry returned no audit \(405 /)]);
  });

  it('rejects an exception without a reason or a date', async () => {
    expect((await audit({}, { [id]: { reason: 'later', expires: 'never' } })).code).toBe(1);
  });
});
