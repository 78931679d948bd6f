import { builder } from '../../graph/builder.ts';
import { pageType } from '../../graph/paging.ts';
import { RoleType, UserType } from '../auth/graphql-types.ts';
import type { Member } from './list.ts';

/** A member, in whatever answer they stand. */
export const MemberType = builder.objectRef<Member>('Member').implement({
  description: 'A user in the organization, with the role and the accounts they have here.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'UUIDv7 of the membership, which ends when the user is removed.' }),
    user: t.field({ type: UserType, description: 'Who it is.', resolve: (member) => member.user }),
    role: t.expose('role', { type: RoleType, description: 'What they may do here.' }),
    accountAccess: t.exposeIDList('accountAccess', {
      nullable: true,
      description:
        'Ids of the cloud accounts they may see, of those that the caller may see; null for every account, empty for none.',
    }),
    twoFactorEnabled: t.exposeBoolean('twoFactorEnabled', {
      description: 'Whether they have a second factor: TOTP or a passkey.',
    }),
    lockedUntil: t.expose('lockedUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when wrong passwords have locked their login; null: it is not locked.',
    }),
    lastLoginAt: t.expose('lastLoginAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When they last logged in; null: never.',
    }),
    joinedAt: t.expose('joinedAt', { type: 'DateTime', description: 'When they became a member.' }),
  }),
});

/** A page of members. */
export const MemberPage = pageType('Member', MemberType);
