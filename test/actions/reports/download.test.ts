import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { partBytes } from '../../../src/actions/reports/file-store.ts';
import { aReportWorld, type ReportBody, type ReportWorld } from './world.ts';

const type = { type: 'cost_by_service', format: 'csv', start_date: '2024-02-01', end_date: '2024-05-12' };

/** A report whose file spans three and a half parts with varying bytes. */
async function aLargeReport(world: ReportWorld) {
  const report = await world.make(type);
  const file = Buffer.from(Array.from({ length: partBytes * 3.5 }, (_, index) => (index * 7919) % 251));
  const sha256 = createHash('sha256').update(file).digest('hex');
  await world.deps.db.reportChunk.deleteMany();
  for (let part = 0; part * partBytes < file.length; part += 1) {
    const bytes = file.subarray(part * partBytes, (part + 1) * partBytes);
    await world.deps.db.reportChunk.create({ data: { reportId: report.id, part, bytes: new Uint8Array(bytes) } });
  }
  await world.deps.db.report.updateMany({ data: { sizeBytes: file.length, sha256 } });
  return { id: report.id, file, tag: `"${sha256}"` };
}

const header = (answer: { headers: Headers }, ...names: string[]) => names.map((name) => answer.headers.get(name));

describe('the download of a report', () => {
  it('matches its checksum and size, has a plain file name, and is audited', async () => {
    const world = await aReportWorld();
    const report = await world.make(type);
    const answer = await world.fetch(report.id, {}, { name: 'dan' });
    expect(answer.status).toBe(200);
    expect(createHash('sha256').update(answer.bytes).digest('hex')).toBe(report.sha256);
    expect(answer.bytes.length).toBe(report.size_bytes);
    expect(header(answer, 'content-type', 'content-length', 'content-disposition', 'etag', 'accept-ranges')).toEqual([
      'text/csv; charset=utf-8',
      String(report.size_bytes),
      'attachment; filename="cost-by-service-2024-02-01-2024-05-12.csv"',
      `"${report.sha256}"`,
      'bytes',
    ]);
    expect(header(answer, 'x-content-type-options', 'cache-control', 'x-ratelimit-limit')).toEqual([
      'nosniff',
      'no-store',
      '100000',
    ]);
    const audit = await world.deps.db.auditEntry.findMany({ where: { action: 'data_exported' } });
    expect(audit).toMatchObject([
      {
        actorEmail: 'dan@example.com',
        resourceType: 'report',
        resourceId: report.id,
        details: { bytes: report.size_bytes },
      },
    ]);
  });

  it('supports resuming with a range', async () => {
    const world = await aReportWorld();
    const { id, file, tag } = await aLargeReport(world);
    const ask = async (range: string, more: Record<string, string> = {}) => {
      const answer = await world.fetch(id, { range, ...more });
      return [answer.status, answer.headers.get('content-range'), answer.bytes.equals(file) ? 'all' : answer.bytes];
    };
    const size = file.length;
    const part = (first: number, last: number) => [
      206,
      `bytes ${first}-${last}/${size}`,
      file.subarray(first, last + 1),
    ];
    expect(await ask('bytes=0-0')).toEqual(part(0, 0));
    expect(await ask(`bytes=${partBytes - 1}-${partBytes}`)).toEqual(part(partBytes - 1, partBytes));
    expect(await ask(`bytes=${partBytes * 2 + 5}-`)).toEqual(part(partBytes * 2 + 5, size - 1));
    expect(await ask('bytes=-10')).toEqual(part(size - 10, size - 1));
    expect(await ask(`bytes=${size - 1}-${size * 9}`)).toEqual(part(size - 1, size - 1));
    expect(await ask('bytes=5-9', { 'if-range': tag })).toEqual(part(5, 9));
    expect((await ask('bytes=0-'))[1]).toBe(`bytes 0-${size - 1}/${size}`);
    for (const all of ['bytes=9-5', 'bytes=-', 'bytes=0-1,4-5', 'lines=1-2', 'bytes=a-b'])
      expect(await ask(all)).toEqual([200, null, 'all']);
    expect(await ask('bytes=5-9', { 'if-range': '"other"' })).toEqual([200, null, 'all']);
    expect(await ask('bytes=5-9', { 'if-range': `W/${tag}` })).toEqual([200, null, 'all']);
    expect(await ask('bytes=5-9', { 'if-range': 'Mon, 13 May 2024 10:00:00 GMT' })).toEqual([200, null, 'all']);
  });

  it('rejects an unsatisfiable range, and states the size', async () => {
    const world = await aReportWorld();
    const { id, file } = await aLargeReport(world);
    for (const range of [`bytes=${file.length}-`, `bytes=${file.length + 5}-${file.length + 9}`, 'bytes=-0']) {
      const answer = await world.fetch(id, { range });
      expect([answer.status, ...header(answer, 'content-range', 'content-disposition', 'etag')]).toEqual([
        416,
        `bytes */${file.length}`,
        null,
        null,
      ]);
      expect(JSON.parse(answer.bytes.toString())).toMatchObject({
        error: { code: 'RANGE_NOT_SATISFIABLE', status: 416 },
      });
    }
  });

  it('answers If-None-Match and HEAD without sending the file or auditing an export', async () => {
    const world = await aReportWorld();
    const { id, file, tag } = await aLargeReport(world);
    const same = await world.fetch(id, { 'if-none-match': `"x", ${tag}` });
    expect([same.status, same.bytes.length, ...header(same, 'etag')]).toEqual([304, 0, tag]);
    const head = await world.fetch(id, { range: 'bytes=0-9' }, { method: 'HEAD' });
    expect([head.status, ...header(head, 'content-length', 'etag')]).toEqual([200, String(file.length), tag]);
    expect(await world.deps.db.auditEntry.count({ where: { action: 'data_exported' } })).toBe(0);
  });

  it('returns 409 while pending or after failure, and 404 after expiry', async () => {
    const world = await aReportWorld();
    const { body } = await world.as<ReportBody>('ana', 'POST', '/reports', type);
    const pending = await world.fetch(body.id);
    expect([pending.status, pending.headers.get('retry-after')]).toEqual([409, '2']);
    await world.deps.db.report.updateMany({ data: { status: 'failed', failure: 'No such tag' } });
    const failed = await world.fetch(body.id);
    expect([failed.status, failed.headers.get('retry-after')]).toEqual([409, null]);
    expect(failed.bytes.toString()).toContain(`Report \\"${body.id}\\" could not be created: No such tag`);
    const ready = await world.make(type);
    expect((await world.fetch(ready.id)).status).toBe(200);
    await world.passDays(30);
    expect((await world.fetch(ready.id)).status).toBe(404);
    expect((await world.as<{ data: unknown[] }>('ana', 'GET', '/reports')).body.data).toEqual([]);
  });

  it('requires access, and returns the same errors as other routes', async () => {
    const world = await aReportWorld();
    const { id } = await world.make(type);
    const status = async (
      of: string,
      ...rest: Parameters<typeof world.fetch> extends [string, ...infer Rest] ? Rest : []
    ) => (await world.fetch(of, ...rest)).status;
    expect(await status(id, { authorization: 'Bearer x' })).toBe(401);
    expect(await status('x')).toBe(404);
    expect(await status('01933333-0000-7000-8000-000000000000')).toBe(404);
    expect(await status(id, {}, { query: '?format=csv' })).toBe(400);
    expect(await status(id, {}, { method: 'DELETE' })).toBe(405);
    expect(await status(id, {}, { method: 'OPTIONS' })).toBe(204);
    const other = await world.register({ email: 'zoe@example.com' });
    expect(await status(id, { authorization: `Bearer ${other.token}` })).toBe(404);
    await world.deps.db.organization.updateMany({ data: { requireTwoFactor: true } });
    const locked = await world.fetch(id);
    expect([locked.status, locked.bytes.toString()]).toEqual([
      403,
      expect.stringContaining('TWO_FACTOR_SETUP_REQUIRED'),
    ]);
  });

  it('aborts when the report is deleted meanwhile, rather than appearing complete', async () => {
    const world = await aReportWorld();
    const { id } = await aLargeReport(world);
    await world.deps.db.reportChunk.deleteMany({ where: { part: 2 } });
    await expect(world.fetch(id)).rejects.toThrow(/terminated/);
  });
});
