import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { attemptLogin, lockedUntil, lockMinutes, unlockLogin } from '../../../src/tenancy/login/lockout.ts';
import { tenancyWorld } from '../support.ts';

const ana = 'ana@example.com';
const wrong = () => Promise.resolve(null);
const right = () => Promise.resolve('in');

/** Counts of the outcomes, such as `{ wrong: 5, ACCOUNT_LOCKED: 15 }`. */
async function outcomes(attempts: readonly Promise<string | null>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const result of await Promise.allSettled(attempts)) {
    const name = result.status === 'fulfilled' ? (result.value ?? 'wrong') : String(result.reason.code);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

describe('a login lock', () => {
  it.each([
    [4, 0],
    [5, 1],
    [6, 0],
    [9, 0],
    [10, 5],
    [11, 0],
    [14, 0],
    [15, 15],
    [16, 0],
    [19, 0],
    [20, 60],
    [21, 60],
    [1000, 60],
  ])('after %i failures lasts %i minutes', (failures, minutes) => {
    expect(lockMinutes(failures)).toBe(minutes);
  });

  it('grows with every fifth failure, and its end does not reset the count', async () => {
    const { deps, passMs } = await tenancyWorld();
    const locks: [number, number][] = [];
    for (let failure = 1; failure <= 22; failure += 1) {
      expect(await attemptLogin(deps, ana, wrong)).toBeNull();
      const until = (await lockedUntil(deps, [ana])).get(ana);
      if (!until) continue;
      const ms = until.getTime() - deps.clock.now().getTime();
      locks.push([failure, ms / 60_000]);
      passMs(ms);
    }
    expect(locks).toEqual([
      [5, 1],
      [10, 5],
      [15, 15],
      [20, 60],
      [21, 60],
      [22, 60],
    ]);
  });

  it('rejects attempts without verifying or counting them, and states when it ends', async () => {
    const { deps, passMs } = await tenancyWorld();
    for (let i = 0; i < 5; i += 1) await attemptLogin(deps, ana, wrong);
    passMs(400);
    const refused = attemptLogin(deps, ana, () => Promise.reject(new Error('was tried')));
    await expect(refused).rejects.toMatchObject({
      code: 'ACCOUNT_LOCKED',
      status: 423,
      headers: { 'Retry-After': '60' },
      message: 'Too many failed logins; try again at 2026-11-21T10:01:00Z, or ask an Admin to unlock you',
    });
    passMs(59_599);
    await expect(attemptLogin(deps, ana, right)).rejects.toMatchObject({ headers: { 'Retry-After': '1' } });
    passMs(1);
    expect(await attemptLogin(deps, ana, right)).toBe('in');
  });

  it('is lifted by an Admin together with the count', async () => {
    const { deps } = await tenancyWorld();
    for (let i = 0; i < 5; i += 1) await attemptLogin(deps, ana, wrong);
    await unlockLogin(deps.db, deps, ana);
    expect(await lockedUntil(deps, [ana])).toEqual(new Map());
    for (let i = 0; i < 4; i += 1) await attemptLogin(deps, ana, wrong);
    expect(await attemptLogin(deps, ana, right)).toBe('in');
  });

  it('does not store the address in plain text', async () => {
    const { deps } = await tenancyWorld();
    await attemptLogin(deps, ana, wrong);
    const [row] = await deps.db.loginLock.findMany();
    expect(Buffer.from(row?.emailHash ?? []).toString('latin1')).not.toContain('ana');
    expect(row?.emailHash).toHaveLength(32);
  });
});

describe('the failure count', () => {
  it('is reset by a complete login, but not by a partial login or an error', async () => {
    const { deps } = await tenancyWorld();
    const failures = async () => (await deps.db.loginLock.findFirst())?.failedLogins ?? 0;
    await attemptLogin(deps, ana, wrong);
    await attemptLogin(deps, ana, right, () => false);
    await expect(attemptLogin(deps, ana, () => Promise.reject(new Error('broke')))).rejects.toThrow('broke');
    expect(await failures()).toBe(1);
    await attemptLogin(deps, ana, right);
    expect(await failures()).toBe(0);
  });

  it('is kept per address', async () => {
    const { deps } = await tenancyWorld();
    for (let i = 0; i < 5; i += 1) await attemptLogin(deps, ana, wrong);
    expect(await attemptLogin(deps, 'bo@example.com', right)).toBe('in');
    expect([...(await lockedUntil(deps, ['bo@example.com', ana])).keys()]).toEqual([ana]);
  });
});

describe('concurrent login attempts', () => {
  it('on one address: 5 of 20 wrong ones are verified and 15 rejected', async () => {
    const { deps } = await tenancyWorld();
    const slow = () => sleep(5, null);
    const attempts = Array.from({ length: 20 }, () => attemptLogin(deps, ana, slow));
    expect(await outcomes(attempts)).toEqual({ wrong: 5, ACCOUNT_LOCKED: 15 });
  });

  it('on one address: 20 correct ones are accepted', async () => {
    const { deps } = await tenancyWorld();
    const attempts = Array.from({ length: 20 }, () => attemptLogin(deps, ana, right));
    expect(await outcomes(attempts)).toEqual({ in: 20 });
  });

  it('on two servers: 5 of 20 wrong ones are verified, one at a time', async () => {
    const { deps } = await tenancyWorld();
    const pool = new pg.Pool({ ...deps.connection, max: 20 });
    onTestFinished(() => pool.end());
    let running = 0;
    const alone = async () => {
      running += 1;
      expect(running).toBe(1);
      await sleep(5);
      running -= 1;
      return null;
    };
    const servers = [deps, { ...deps, pool }];
    const attempts = Array.from({ length: 20 }, (_, n) => attemptLogin(servers[n % 2] ?? deps, ana, alone));
    expect(await outcomes(attempts)).toEqual({ wrong: 5, ACCOUNT_LOCKED: 15 });
  });

  it('on 60 addresses leave enough connections for verification', async () => {
    const { deps } = await tenancyWorld();
    const work = async () => {
      await deps.pool.query('select pg_sleep(0.01)');
      return 'in';
    };
    const attempts = Array.from({ length: 60 }, (_, n) => attemptLogin(deps, `user${n}@example.com`, work));
    expect(await outcomes(attempts)).toEqual({ in: 60 });
  });
});
