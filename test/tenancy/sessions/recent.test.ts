import { expect, it } from 'vitest';
import { requireRecentLogin } from '../../../src/tenancy/sessions/recent.ts';
import { removePasskey } from '../../../src/tenancy/passkeys/manage.ts';
import { registerPasskey, registrationOptions } from '../../../src/tenancy/passkeys/register.ts';
import { refresh } from '../../../src/tenancy/sessions/refresh.ts';
import { setUpTotp } from '../../../src/tenancy/second-factor/setup.ts';
import { origin, tenancyWorld } from '../support.ts';

const hourMs = 3_600_000;
const refusal = {
  code: 'FORBIDDEN',
  message: 'Your last sign-in was more than an hour ago; sign in again to change how you sign in',
};

it('changes second factors only within an hour after the login, which a refresh does not extend', async () => {
  const world = await tenancyWorld();
  const { viewer, refreshToken } = await world.register('ana');
  const { userId, email, scope } = viewer;
  const actor = { ...origin, organizationId: scope.organizationId, userId, email };
  world.passMs(hourMs);
  await refresh(world.deps, origin, refreshToken);
  await requireRecentLogin(world.deps, viewer);
  await setUpTotp(world.deps, viewer);
  world.passMs(1);
  const changes = [
    () => setUpTotp(world.deps, viewer),
    () => registrationOptions(world.deps, viewer),
    () => registerPasskey(world.deps, viewer, actor, { name: 'Laptop', response: {} }),
    () => removePasskey(world.deps, viewer, actor, 'any'),
  ];
  for (const change of changes) await expect(change()).rejects.toMatchObject(refusal);
});

it('rejects a session that was ended', async () => {
  const world = await tenancyWorld();
  const { viewer } = await world.register('ana');
  await world.deps.db.session.updateMany({ data: { revokedAt: world.deps.clock.now() } });
  await expect(requireRecentLogin(world.deps, viewer)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
});
