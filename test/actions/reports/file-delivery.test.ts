import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { partBytes } from '../../../src/actions/reports/file-store.ts';
import { attachedBytesMost, fileToDeliver, scopeOfLink, signLink } from '../../../src/actions/reports/download.ts';
import { openSecrets } from '../../../src/kit/secrets/crypto.ts';
import { runDueSchedules } from '../../../src/actions/schedules/run.ts';
import { runJobs } from '../../support/jobs.ts';
import { aChatServer } from '../notifications/chat-server.ts';
import { essentials } from '../../support/essentials.ts';
import { aReportWorld, type ReportBody, type ReportWorld } from './world.ts';

const asked = { type: 'cost_by_service', format: 'csv', start_date: '2024-02-01', end_date: '2024-05-12' };
const fileName = 'cost-by-service-2024-02-01-2024-05-12.csv';

/** Sets the size of a report's file before it is delivered. */
async function enlarge(world: ReportWorld, id: string, size: number): Promise<Buffer> {
  const file = Buffer.from(Array.from({ length: size }, (_, index) => (index * 7919) % 251));
  await world.deps.db.reportChunk.deleteMany({ where: { reportId: id } });
  for (let part = 0; part * partBytes < size; part += 1) {
    const bytes = new Uint8Array(file.subarray(part * partBytes, (part + 1) * partBytes));
    await world.deps.db.reportChunk.create({ data: { reportId: id, part, bytes } });
  }
  const sha256 = createHash('sha256').update(file).digest('hex');
  await world.deps.db.report.updateMany({ where: { id }, data: { sizeBytes: size, sha256 } });
  return file;
}

/** Creates a report with a file of the given size, and delivers it. */
async function delivered(world: ReportWorld, size: number) {
  const { body } = await world.as<ReportBody>('cleo', 'POST', '/reports', asked);
  const generating = world.jobs.splice(0);
  await runJobs(world.deps, generating);
  const file = await enlarge(world, body.id, size);
  await world.settle();
  return { id: body.id, file, mail: world.mails.at(-1) };
}

async function open(url: string) {
  const response = await fetch(url);
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

describe('delivery of a report', () => {
  it('mails the file to the creator as an attachment', async () => {
    const world = await aReportWorld();
    const report = await world.make({ ...asked, format: 'pdf' }, 'cleo');
    const { bytes } = await world.fetch(report.id);
    const name = 'cost-by-service-2024-02-01-2024-05-12.pdf';
    expect(world.mails).toMatchObject([
      {
        to: 'cleo@example.com',
        subject: 'Cost by service, Feb 1 – May 12, 2024',
        attachments: [{ name, mediaType: 'application/pdf', bytes }],
      },
    ]);
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    const [mail] = world.mails;
    expect(mail?.text.replaceAll('\n', ' ')).toMatch(new RegExp(`Attached: ${name} \\([\\d.]+ kB\\)\\.`));
    expect(mail?.text).toContain(`Open the report:\n${world.deps.config.publicUrl}/reports/${report.id}\n`);
  });

  it('is skipped if the creator opts out, in REST and GraphQL', async () => {
    const world = await aReportWorld();
    await world.make({ ...asked, email: false }, 'cleo');
    await world.as('cleo', 'PATCH', '/notifications/preferences', { email: { reports: false } });
    await world.make(asked, 'cleo');
    const { body } = await world.rest<{ access_token: string }>('POST', '/auth/login', {
      body: { email: 'ana@example.com', password: 'plum kite orbit' },
    });
    const create = (email: boolean) =>
      world.gql(
        'mutation ($email: Boolean) { createReport(input: { type: BUDGETS, format: CSV, email: $email }) { id } }',
        { email },
        body.access_token,
      );
    expect((await create(false)).body.errors).toBeUndefined();
    await world.settle();
    expect(world.mails).toEqual([]);
    await create(true);
    await world.settle();
    expect(world.mails).toMatchObject([
      { to: 'ana@example.com', attachments: [{ name: expect.stringMatching(/^budgets-.*\.csv$/) }] },
    ]);
  });

  it('reports a failure to the creator with the reason', async () => {
    const world = await aReportWorld();
    const { body } = await world.as<ReportBody>('cleo', 'POST', '/reports', asked);
    world.jobs.splice(0);
    await world.deps.db.report.updateMany({ data: { status: 'failed', failure: 'The server could not write it.' } });
    const { userId } = await world.deps.db.membership.findFirstOrThrow({ where: { role: 'member' } });
    const payload = { organizationId: world.organizationId, reportId: body.id, mailTo: userId };
    world.jobs.push({ task: 'tell_report', payload });
    await world.settle();
    expect(world.mails).toMatchObject([{ to: 'cleo@example.com', subject: 'Cost by service: the report failed' }]);
    expect(world.mails[0]?.text).toContain('The server could not write it.');
    expect(world.mails[0]?.attachments).toBeUndefined();
  });

  it('attaches files up to 10 MB, and mails larger ones as a link that works without signing in', async () => {
    const world = await aReportWorld();
    const small = await delivered(world, attachedBytesMost);
    expect(small.mail?.attachments?.[0]?.bytes.equals(small.file)).toBe(true);
    const large = await delivered(world, attachedBytesMost + 1);
    expect(large.mail?.attachments).toBeUndefined();
    expect(large.mail?.text.replaceAll('\n', ' ')).toContain(
      `${fileName} (10 MB) is too large to attach. The link works without signing in until May 20, 2024, 10:00 UTC.`,
    );
    const [, link = ''] = /Download the file:\n(\S+)\n/.exec(large.mail?.text ?? '') ?? [];
    const { publicUrl } = world.deps.config;
    expect(link).toMatch(new RegExp(`^${publicUrl}/api/v1/reports/${large.id}/download\\?token=`));
    const answer = await open(link.replace(publicUrl, world.url));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${fileName}"`);
    expect(answer.bytes.equals(large.file)).toBe(true);
    const exported = await world.deps.db.auditEntry.findMany({ where: { action: 'data_exported' } });
    expect(exported).toMatchObject([{ actorId: null, resourceId: large.id, organizationId: world.organizationId }]);
  }, 60_000);

  it('sends a signed link to a chat webhook', async () => {
    const server = await aChatServer();
    const world = await aReportWorld({ allowPrivateWebhooks: true });
    await world.as('ana', 'POST', '/notifications/slack/webhook', { url: server.url });
    const schedule = {
      name: 'Daily',
      type: 'cost_by_service',
      format: 'csv',
      frequency: 'daily',
      hour: 6,
      slack: true,
    };
    expect((await world.as('ana', 'POST', '/reports/schedules', schedule)).status).toBe(201);
    await runDueSchedules(world.deps, new Date('2024-05-14T06:00:00Z'));
    await world.settle();
    const message = JSON.stringify(server.taken[0]?.body.blocks);
    const { publicUrl } = world.deps.config;
    const [url = ''] = /http[^"]+\/download\?token=[\w.-]+/.exec(message) ?? [];
    expect(message).toContain('cost-by-service-2024-05-09-2024-05-09.csv');
    expect((await open(url.replace(publicUrl, world.url))).status).toBe(200);
  });

  it('sends a signed link to the channels of a schedule', async () => {
    const server = await aChatServer();
    const world = await aReportWorld({ allowPrivateWebhooks: true });
    const channel = { name: 'Hook', kind: 'webhook', url: server.url };
    const { id } = (await world.as<{ id: string }>('ana', 'POST', '/channels', channel)).body;
    const what = { name: 'Daily', type: 'cost_by_service', format: 'csv', frequency: 'daily', hour: 6 };
    await world.as('ana', 'POST', '/reports/schedules', { ...what, channel_ids: [id] });
    await runDueSchedules(world.deps, new Date('2024-05-14T06:00:00Z'));
    await world.settle();
    expect(server.taken).toHaveLength(1);
    const { type, data } = JSON.parse(server.taken[0]?.raw ?? '');
    expect([type, data.file]).toEqual([
      'report',
      {
        name: 'cost-by-service-2024-05-09-2024-05-09.csv',
        size_bytes: expect.any(Number),
        url: expect.stringContaining('/download?token='),
        expires_at: expect.any(String),
      },
    ]);
    const { publicUrl } = world.deps.config;
    expect((await open(data.file.url.replace(publicUrl, world.url))).status).toBe(200);
    expect(world.mails).toHaveLength(1);
  });
});

describe('a signed download link', () => {
  const refused = /"code":"UNAUTHORIZED","message":"This download link has expired or is incomplete; sign in/;

  it('works for 7 days', async () => {
    const world = await aReportWorld();
    const { id } = await world.make(asked);
    const { token, at } = linkTo(world, id);
    expect((await open(at(id, token))).status).toBe(200);
    await world.passDays(7 - 1 / 86_400);
    expect((await open(at(id, token))).status).toBe(200);
    await world.passDays(1 / 86_400);
    const late = await open(at(id, token));
    expect([late.status, late.bytes.toString()]).toEqual([401, expect.stringMatching(refused)]);
  });

  it('opens only the report it was signed for, unchanged', async () => {
    const world = await aReportWorld();
    const [one, other] = [await world.make(asked), await world.make({ ...asked, format: 'json' })];
    const { token, at } = linkTo(world, one.id);
    const [expires = '', signature = ''] = token.split('.');
    for (const url of [
      at(other.id, token),
      at('nothing', token),
      at(one.id, `${Number(expires) + 86_400}.${signature}`),
      at(one.id, `${expires}.${signature.slice(0, -2)}AA`),
      at(one.id, ''),
      at(one.id, 'x'),
    ])
      expect((await open(url)).status, url).toBe(401);
    expect((await open(`${at(one.id, token)}&more=1`)).status).toBe(400);
    expect((await open(at(one.id, token).replace(/\?.*/, ''))).status).toBe(401);
  });

  it('is rejected together with a Bearer token, and when given twice', async () => {
    const world = await aReportWorld();
    const { id } = await world.make(asked);
    const { token, at } = linkTo(world, id);
    const path = (given: string) => at(id, given).replace(`${world.url}/api/v1`, '');
    const both = {
      code: 'VALIDATION_ERROR',
      message: 'token and a Bearer token cannot be combined; send one of them',
      status: 400,
      field: 'token',
    };
    for (const given of [token, 'x']) {
      const { status, body } = await world.as<{ error: object }>('ana', 'GET', path(given));
      expect([status, essentials(body.error)]).toEqual([400, both]);
    }
    const unknown = await world.rest<{ error: object }>('GET', path(token), { token: 'svc_nobody' });
    expect([unknown.status, essentials(unknown.body.error)]).toEqual([400, both]);
    const twice = await open(`${at(id, token)}&token=${token}`);
    expect([twice.status, twice.bytes.toString()]).toEqual([
      400,
      expect.stringContaining('token was given 2 times; send it once'),
    ]);
  });

  it('survives a key rotation, and stops working when the report is deleted', async () => {
    const world = await aReportWorld();
    const { id } = await world.make(asked);
    const [old, young] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
    const link = signLink({ ...world.deps, secrets: openSecrets([old]) }, id);
    const token = new URL(link.url).searchParams.get('token') ?? '';
    const readBy = (...keys: Buffer[]) => scopeOfLink({ ...world.deps, secrets: openSecrets(keys) }, id, token);
    expect(await readBy(young, old)).toMatchObject({ organizationId: world.organizationId, accountIds: null });
    expect(await readBy(young)).toBeNull();
    await world.deps.db.report.deleteMany();
    expect(await readBy(old)).toBeNull();
    const ref = { organizationId: world.organizationId, reportId: id };
    expect(await fileToDeliver(world.deps, ref, { canAttach: true })).toBeNull();
  });
});

function linkTo(world: ReportWorld, id: string) {
  const { url } = signLink(world.deps, id);
  const token = new URL(url).searchParams.get('token') ?? '';
  const at = (report: string, given: string) => `${world.url}/api/v1/reports/${report}/download?token=${given}`;
  return { token, at };
}
