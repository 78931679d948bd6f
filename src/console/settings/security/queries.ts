import * as operations from '../../../../schema/operations.ts';
import { graphql, type ResultOf } from '../../api/graphql.ts';

export const ChangePassword = graphql(operations.changePassword);

export const DisableTwoFactor = graphql(operations.disableTwoFactor);

/** Replaces the recovery codes with ten new ones. */
export const RenewRecoveryCodes = graphql(operations.renewRecoveryCodes);

const PasskeyRow = graphql(`
  fragment PasskeyRow on Passkey {
    id
    name
    deviceType
    backedUp
    createdAt
    lastUsedAt
  }
`);

/** All passkeys of the caller; at most 50. */
export const Passkeys = graphql(operations.passkeys, [PasskeyRow]);

/** Passkey in the list. */
export type Passkey = ResultOf<typeof PasskeyRow>;

export const DeletePasskey = graphql(operations.deletePasskey);

export const UpdatePasskey = graphql(operations.updatePasskey);
