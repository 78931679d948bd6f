import { GraphQLError } from 'graphql';
import { describe, expect, it } from 'vitest';
import { Prisma } from '../../prisma/generated/client/client.ts';
import { openLog } from '../../src/kit/log.ts';
import { clientError } from '../../src/surfaces/errors.ts';

const at = { log: openLog('silent'), requestId: 'r1' };

/** An error of Prisma's as its driver adapter causes it. */
function ofPrisma(message: string, code: string, originalCode?: string): Error {
  const driver = new Error('DriverAdapterError', { cause: { kind: 'postgres', originalCode } });
  const meta = originalCode === undefined ? {} : { driverAdapterError: driver };
  return new Prisma.PrismaClientKnownRequestError(message, { code, clientVersion: '7', meta });
}

describe('a database that is away', () => {
  it.each<[string, Error]>([
    ['starts up, as pg says it', Object.assign(new Error('the database system is starting up'), { code: '57P03' })],
    ['starts up, as Prisma says it', ofPrisma('Database error. Code: `57P03`.', 'P2039', '57P03')],
    ['is shut down under a raw query', ofPrisma('Raw query failed. Code: `57P01`.', 'P2010', '57P01')],
    ['was cut off while it was told something', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })],
    ['hung up', new Error('Connection terminated unexpectedly')],
    ['has no socket', Object.assign(new Error('connect ENOENT /data/run/.s.PGSQL.5432'), { code: 'ENOENT' })],
    [
      'has no socket, as Prisma says it',
      ofPrisma('Invalid `prisma.user.findUnique()` invocation:\n\nconnect ENOENT /data/run/.s.PGSQL.5432', 'ENOENT'),
    ],
    ['is away, under an error of ours', new Error('outer', { cause: new Error('Connection terminated') })],
  ])('(%s) is not a defect: try again', (_what, thrown) => {
    const { code, status, headers } = clientError(thrown, at);
    expect([code, status, headers]).toEqual(['SERVICE_UNAVAILABLE', 503, { 'Retry-After': '5' }]);
  });
});

describe('a transaction that was given up for another one', () => {
  it.each<[string, Error]>([
    ['by a deadlock, as pg says it', Object.assign(new Error('deadlock detected'), { code: '40P01' })],
    ['by a deadlock, as Prisma says it', ofPrisma('Raw query failed. Code: `40P01`.', 'P2010', '40P01')],
    ['as Prisma says it', ofPrisma('Transaction failed due to a write conflict or a deadlock.', 'P2034')],
  ])('(%s) is not a defect: try again', (_what, thrown) => {
    const { code, message, headers } = clientError(thrown, at);
    expect([code, message, headers]).toEqual([
      'SERVICE_UNAVAILABLE',
      'Something else was changed at the same time, so nothing was done; try again',
      { 'Retry-After': '1' },
    ]);
  });
});

describe('a resolver’s error', () => {
  it('is told by the log as it was thrown, though it comes without extensions', () => {
    const lines: string[] = [];
    const error = new GraphQLError('outer', { path: ['connectAccount'], originalError: new Error('the real reason') });
    Object.assign(error, { extensions: undefined });
    const log = openLog('error', { write: (line) => void lines.push(line) });
    expect(clientError(error, { log, requestId: 'r1' }).code).toBe('INTERNAL_ERROR');
    expect(lines).toEqual([expect.stringContaining('the real reason')]);
  });
});

describe('an organization that was deleted meanwhile', () => {
  const violation = (key: string) =>
    Object.assign(new Error(`insert or update on table "x" violates foreign key constraint "${key}"`), {
      code: '23503',
    });

  it.each(['audit_entries_organization_id_fkey', 'sessions_organization_id_user_id_fkey'])('(%s) is 401', (key) => {
    expect(clientError(violation(key), at)).toMatchObject({ code: 'UNAUTHORIZED', status: 401 });
  });

  it('is not what every missing row means', () => {
    expect(clientError(violation('account_syncs_organization_id_account_id_fkey'), at).code).toBe('INTERNAL_ERROR');
  });
});

describe('what nobody knows', () => {
  it.each<[string, unknown]>([
    ['a file that is missing', Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT' })],
    ['a statement of ours that is wrong', ofPrisma('Database error. Code: `42601`.', 'P2039', '42601')],
    ['no error at all', 'oops'],
  ])('(%s) is a defect', (_what, thrown) => {
    expect(clientError(thrown, at).code).toBe('INTERNAL_ERROR');
  });
});
