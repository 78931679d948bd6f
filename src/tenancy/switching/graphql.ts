import { builder } from '../../graph/builder.ts';
import { viewerOf } from '../../graph/context.ts';
import { guardedRoute } from '../../graph/rest.ts';
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
    args: {
      organizationId: t.arg.id({ required: true, description: 'UUID of the organization, as listed by `me`.' }),
    },
    // Users without a second factor that this organization requires may still switch to one that does not require it.
    ...guardedRoute('Authentication', { enrolling: true, interactive: true }, { path: '/auth/switch-organization' }),
    resolve: async (_root, { organizationId }, ctx) =>
      keepCookie(ctx, await switchOrganization(ctx.deps, viewerOf(ctx), ctx.actor, organizationId)),
  }),
}));
