import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished, describe, expect, it } from 'vitest';
import { explainAnomaly, explainInJob } from '../../../src/analysis/anomalies/explanation/explain.ts';
import { anomalies, explainedOf } from '../../../src/analysis/anomalies/store.ts';
import { explanationOf } from '../../../src/analysis/anomalies/explanation/compose.ts';
import type { AiSettings } from '../../../src/kit/config/config.ts';
import { newId } from '../../../src/kit/ids.ts';
import { openLog } from '../../../src/kit/log.ts';
import { orgScope } from '../../../src/tenancy/auth/scope.ts';
import { worldOfFile } from '../../support/world.ts';
import { keepAnomaly } from './kept.ts';

const at = worldOfFile();

const fine = {
  summary: 'Amazon EC2 cost $1,000.00 (426%) more than expected. RESOURCE_A of ACCOUNT_A makes up 93% of it.',
  likely_causes: ['14 times as much data went through the NAT gateway: an image cache may be off.'],
  next_steps: ['Look in the flow logs for what RESOURCE_A sends.'],
};

/** The response of a chat server that speaks the OpenAI protocol. */
const completion = (content: string) =>
  JSON.stringify({
    id: 'x',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  });

interface Asked {
  readonly url: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** Starts a model server that answers as given.
 *  @returns its settings and the recorded requests */
async function aModel(answer: (res: ServerResponse, asked: readonly Asked[]) => void) {
  const asked: Asked[] = [];
  const server = createServer((req: IncomingMessage, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      asked.push({ url: req.url ?? '', authorization: req.headers.authorization, body });
      answer(res, asked);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const settings: AiSettings = {
    provider: 'openai_compatible',
    model: 'm',
    apiKey: 'sk-secret',
    baseUrl,
    timeoutMs: 1500,
  };
  return { settings, asked };
}

const json =
  (content: string, status = 200) =>
  (res: ServerResponse) =>
    void res.writeHead(status, { 'content-type': 'application/json' }).end(content);

/** Stores an anomaly in an organization of its own, with functions to explain and read it. */
async function explain(settings: AiSettings | null) {
  const { db, clock, config, pool } = at().deps;
  const organization = await db.organization.create({
    data: { name: 'Plum', trustExternalId: newId(new Date()) },
    select: { id: true },
  });
  const scope = orgScope(organization.id, null);
  const account = { organizationId: organization.id, externalId: 'one', name: 'one', provider: 'focus' } as const;
  const { id: accountId } = await db.account.create({ data: account, select: { id: true } });
  const id = await keepAnomaly(db, { organizationId: organization.id, accountId, now: clock.now() });
  const lines: string[] = [];
  const log = openLog('info', { write: (line: string) => void lines.push(line) });
  const run = (signal = new AbortController().signal) =>
    explainAnomaly({ db, log, config: { ...config, ai: settings } }, scope, id, signal);
  const read = async () => explanationOf(explainedOf(await anomalies.read({ db }, scope, id)));
  return { id, scope, pool, lines, run, read };
}

describe('explaining an anomaly with a model', () => {
  it('stores the prose with the real names filled in', async () => {
    const { settings, asked } = await aModel(json(completion(JSON.stringify(fine))));
    const { run, read } = await explain(settings);
    expect(await run()).toBe('kept');
    expect(await read()).toMatchObject({
      source: 'model',
      summary: 'Amazon EC2 cost $1,000.00 (426%) more than expected. nat-prod of shop makes up 93% of it.',
      likelyCauses: fine.likely_causes,
      nextSteps: ['Look in the flow logs for what nat-prod sends.'],
      drivers: [{ value: 'eu-west-1' }, { value: '111' }, { value: 'nat-0abc' }, { value: 'EU-NatGateway-Bytes' }],
    });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ url: '/v1/chat/completions', authorization: 'Bearer sk-secret' });
    expect(asked[0]?.body).not.toMatch(/nat-prod|nat-0abc|shop/);
    expect(JSON.parse(asked[0]?.body ?? '')).toMatchObject({ model: 'm', response_format: { type: 'json_schema' } });
    expect(await run()).toBe('needless');
    expect(asked).toHaveLength(1);
  });

  it('retries without a JSON schema when the model does not support one', async () => {
    const { settings, asked } = await aModel((res, all) =>
      all.length === 1
        ? json('{"error":{"message":"response_format"}}', 400)(res)
        : json(completion(JSON.stringify(fine)))(res),
    );
    const { run } = await explain(settings);
    expect(await run()).toBe('kept');
    expect(JSON.parse(asked[1]?.body ?? '')).toMatchObject({ response_format: { type: 'json_object' } });
  });

  it('rejects prose with an invented figure', async () => {
    const { settings } = await aModel(
      json(completion(JSON.stringify({ ...fine, summary: 'It cost $1,000,000 more.' }))),
    );
    const { run, read, lines } = await explain(settings);
    expect(await run()).toBe('rejected');
    expect(await read()).toMatchObject({ source: 'composed', summary: expect.stringMatching(/^Amazon EC2 cost \$/) });
    expect(lines.join()).toContain('a figure that is not among the facts: 1,000,000');
  });

  it.each([
    ['answers 500', json('{"error":{"message":"sk-secret"}}', 500)],
    ['answers 401', json('{"error":{"message":"bad key sk-secret"}}', 401)],
    ['answers with invalid JSON', json('<html>')],
    ['answers with prose', json(completion('The cost was higher.'))],
    ['answers with another shape', json(completion('{"summary": 1}'))],
    ['answers with empty fields', json(completion('{"summary": "", "likely_causes": [], "next_steps": []}'))],
    ['closes the connection', (res: ServerResponse) => void res.destroy()],
    ['hangs', () => {}],
    [
      'never finishes its response',
      (res: ServerResponse) => {
        const timer = setInterval(() => res.write(' '), 50);
        res.on('close', () => clearInterval(timer));
      },
    ],
  ])('keeps the rule-based prose and leaks no secret when the model %s', async (_what, answer) => {
    const { settings } = await aModel(answer);
    const { run, read, lines } = await explain(settings);
    const start = performance.now();
    expect(await run()).toBe('failed');
    expect(performance.now() - start).toBeLessThan(4000);
    expect(await read()).toMatchObject({
      source: 'composed',
      likelyCauses: [expect.any(String), expect.any(String), expect.any(String), expect.any(String)],
    });
    expect(lines.join()).not.toContain('sk-secret');
    expect(lines).toHaveLength(1);
  });

  it('does not block readers on a slow model, and discards its prose if the facts changed meanwhile', async () => {
    const { settings } = await aModel((res) => void sleep(700).then(() => json(completion(JSON.stringify(fine)))(res)));
    const { id, run, read, pool } = await explain(settings);
    const running = run();
    const start = performance.now();
    expect(await read()).toMatchObject({ source: 'composed' });
    expect(performance.now() - start).toBeLessThan(300);
    await pool.query(`UPDATE anomalies SET facts = facts || '{"impact": 900}' WHERE id = $1`, [id]);
    await running;
    expect(await read()).toMatchObject({ source: 'composed' });
  });

  it('aborts at once when the process stops', async () => {
    const { settings } = await aModel(() => {});
    const { run } = await explain(settings);
    const stop = new AbortController();
    const running = run(stop.signal);
    setTimeout(() => stop.abort(), 100);
    await expect(running).rejects.toThrow(/abort/i);
  });

  it('skips the model when none is configured or the anomaly is gone', async () => {
    const { run, pool, id } = await explain(null);
    expect(await run()).toBe('needless');
    const { settings, asked } = await aModel(json(completion(JSON.stringify(fine))));
    const other = await explain(settings);
    await pool.query('DELETE FROM anomalies WHERE id = ANY($1)', [[id, other.id]]);
    expect(await other.run()).toBe('needless');
    expect(asked).toEqual([]);
  });
});

it('retries failed requests until the last attempt, and does not retry invented prose', async () => {
  const { signal } = new AbortController();
  const failing = await aModel(json('{}', 500));
  const { id, scope } = await explain(failing.settings);
  const handle = (settings: AiSettings, attempt: number) => {
    const { deps } = at();
    const job = { attempt, maxAttempts: 3, signal };
    return explainInJob({ ...deps, config: { ...deps.config, ai: settings } }, scope, id, job);
  };
  await expect(handle(failing.settings, 1)).rejects.toThrow('The model did not respond');
  await handle(failing.settings, 3);
  const inventing = await aModel(json(completion(JSON.stringify({ ...fine, summary: 'It cost 77 dollars more.' }))));
  await handle(inventing.settings, 1);
});
