import * as operations from '../../../../schema/operations.ts';
import { graphql, type RecordOf } from '../../api/graphql.ts';

export const MemberList = graphql(operations.members, [graphql(operations.MemberFields)]);

/** Changes a member's role, or the accounts that they can see; null means all. */
export const UpdateMember = graphql(operations.updateMember);

/** Unlocks a member's login. */
export const UnlockMember = graphql(operations.unlockMember);

export const RemoveMember = graphql(operations.removeMember);

/** Member in the list. */
export type Member = RecordOf<typeof MemberList>;
