import { expect, it } from 'vitest';
import { anAccounting, type ErrorBody } from './world.ts';

it('rejects a change of an account that the client has not read since its last change', async () => {
  const { connect, call } = await anAccounting();
  const { id, updated_at: read } = await connect('may');
  const one = `/accounts/${id}`;
  const first = await call('PATCH', one, { settings: { path: 'june' }, if_unmodified_since: read });
  expect(first.status).toBe(200);
  expect(first.body.updated_at > read).toBe(true);
  for (const change of [{ name: 'Mine' }, { settings: { path: 'may' } }]) {
    const stale = await call<ErrorBody>('PATCH', one, { ...change, if_unmodified_since: read });
    expect([stale.status, stale.body.error]).toMatchObject([409, { code: 'CONFLICT', field: 'if_unmodified_since' }]);
  }
  const { body: now } = await call('GET', one);
  expect(now).toMatchObject({ name: first.body.name, settings: { path: 'june' }, updated_at: first.body.updated_at });

  const renamed = await call('PATCH', one, { name: 'Mine', if_unmodified_since: now.updated_at });
  expect([renamed.status, renamed.body.name]).toEqual([200, 'Mine']);
  await call('DELETE', one);
  const late = await call<ErrorBody>('PATCH', one, { name: 'Late', if_unmodified_since: renamed.body.updated_at });
  expect(late.status).toBe(409);
});
