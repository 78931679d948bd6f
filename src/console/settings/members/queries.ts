import * as operations from '../../../../schema/operations.ts';
import { graphql, type ResultOf } from '../../api/graphql.ts';

const MemberRow = graphql(operations.MemberRow);

export const MemberList = graphql(operations.members, [MemberRow]);

/** Changes a member's role, or the accounts that they can see; null means all. */
export const UpdateMember = graphql(operations.updateMember);

/** Unlocks a member's login. */
export const UnlockMember = graphql(operations.unlockMember);

export const RemoveMember = graphql(operations.removeMember);

/** Member in the list. */
export type Member = ResultOf<typeof MemberRow>;
