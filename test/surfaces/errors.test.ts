import { GraphQLError } from 'graphql';
import { describe, expect, it } from 'vitest';
import { Prisma } from '../../prisma/generated/client/client.ts';
import { openLog } from '../../src/kit/log.ts';
import { clientError } from '../../src/surfaces/errors.ts';

const at = { log: openLog('silent'), requestId: 'r1' };

/** A Prisma error as caused by its driver adapter. */
function ofPrisma(message: string, code: string, originalCode?: string): Error {
  const driver = new Error('DriverAdapterError', { cause: { kind: 'postgres', originalCode } });
  const meta = originalCode === undefined ? {} : { driverAdapterError: driver };
  return new Prisma.PrismaClientKnownRequestError(message, { code, clientVersion: '7', meta });
}

describe('an unavailable database', () => {
  it.each<[string, Error]>([
    ['starting up, reported by pg', Object.assign(new Error('the database system is starting up'), { code: '57P03' })],
    ['starting up, reported by Prisma', ofPrisma('Database error. Code: `57P03`.', 'P2039', '57P03')],
    ['shut down during a raw query', ofPrisma('Raw query failed. Code: `57P01`.', 'P2010', '57P01')],
    ['connection lost while writing', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })],
    ['connection terminated', new Error('Connection terminated unexpectedly')],
    ['socket missing', Object.assign(new Error('connect ENOENT /data/run/.s.PGSQL.5432'), { code: 'ENOENT' })],
    [
      'socket missing, reported by Prisma',
      ofPrisma('Invalid `prisma.user.findUnique()` invocation:\n\nconnect ENOENT /data/run/.s.PGSQL.5432', 'ENOENT'),
    ],
    ['terminated, in another error', new Error('outer', { cause: new Error('Connection terminated') })],
  ])('results in 503 with Retry-After: %s', (_what, thrown) => {
    const { code, status, headers } = clientError(thrown, at);
    expect([code, status, headers]).toEqual(['SERVICE_UNAVAILABLE', 503, { 'Retry-After': '5' }]);
  });
});

describe('a transaction aborted in favor of another one', () => {
  it.each<[string, Error]>([
    ['deadlock, reported by pg', Object.assign(new Error('deadlock detected'), { code: '40P01' })],
    ['deadlock, reported by Prisma', ofPrisma('Raw query failed. Code: `40P01`.', 'P2010', '40P01')],
    ['write conflict', ofPrisma('Transaction failed due to a write conflict or a deadlock.', 'P2034')],
  ])('results in 503 with Retry-After: %s', (_what, thrown) => {
    const { code, message, headers } = clientError(thrown, at);
    expect([code, message, headers]).toEqual([
      'SERVICE_UNAVAILABLE',
      'Another change was made at the same time, so nothing was done; try again',
      { 'Retry-After': '1' },
    ]);
  });
});

describe('the error of a resolver', () => {
  it('is logged with its original error even without extensions', () => {
    const lines: string[] = [];
    const error = new GraphQLError('outer', { path: ['connectAccount'], originalError: new Error('the real reason') });
    Object.assign(error, { extensions: undefined });
    const log = openLog('error', { write: (line) => void lines.push(line) });
    expect(clientError(error, { log, requestId: 'r1' }).code).toBe('INTERNAL_ERROR');
    expect(lines).toEqual([expect.stringContaining('the real reason')]);
  });
});

describe('a foreign key violation of a deleted organization', () => {
  const violation = (key: string) =>
    Object.assign(new Error(`insert or update on table "x" violates foreign key constraint "${key}"`), {
      code: '23503',
    });

  it.each(['audit_entries_organization_id_fkey', 'sessions_organization_id_user_id_fkey'])('is 401: %s', (key) => {
    expect(clientError(violation(key), at)).toMatchObject({ code: 'UNAUTHORIZED', status: 401 });
  });

  it('does not apply to other foreign keys', () => {
    expect(clientError(violation('account_syncs_organization_id_account_id_fkey'), at).code).toBe('INTERNAL_ERROR');
  });
});

describe('an unexpected error', () => {
  it.each<[string, unknown]>([
    ['a missing file', Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT' })],
    ['an invalid SQL statement', ofPrisma('Database error. Code: `42601`.', 'P2039', '42601')],
    ['a thrown string', 'oops'],
  ])('results in INTERNAL_ERROR: %s', (_what, thrown) => {
    expect(clientError(thrown, at).code).toBe('INTERNAL_ERROR');
  });
});
