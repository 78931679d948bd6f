import { builder } from '../../graph/builder.ts';
import { viewerOf } from '../../graph/context.ts';
import type { RestRoute } from '../../graph/rest.ts';
import { keepCookie, LoginType, MeType } from '../login/graphql-types.ts';
import { JoinedType } from '../invites/graphql-types.ts';
import { ownOrganizations, switchOrganization } from './switch.ts';

builder.objectField(MeType, 'organizations', (t) =>
  t.field({
    type: [JoinedType],
    description: 'All organizations of the caller, by name; for an API token, its own organization.',
    resolve: (viewer, _args, ctx) => ownOrganizations(ctx.deps, viewer),
  }),
);

builder.mutationFields((t) => ({
  switchOrganization: t.field({
    type: LoginType,
    description:
      'Switches the session to another organization of the caller. The old tokens become invalid; the response has new ones. Not for API tokens.',
    // Users without a second factor that this organization requires may still switch to one that does not require it.
    authScopes: { enrolling: true, interactive: true },
    args: {
      organizationId: t.arg.id({ required: true, description: 'UUID of the organization, as listed by `me`.' }),
    },
    extensions: {
      rest: {
        method: 'POST',
        path: '/auth/switch-organization',
        status: 200,
        tags: ['Authentication'],
        category: 'write',
      } satisfies RestRoute,
    },
    resolve: async (_root, { organizationId }, ctx) =>
      keepCookie(ctx, await switchOrganization(ctx.deps, viewerOf(ctx), ctx.actor, organizationId)),
  }),
}));
