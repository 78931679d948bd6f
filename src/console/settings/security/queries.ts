import { graphql, type ResultOf } from '../../api/graphql.ts';

/** Sets a new password. */
export const ChangePassword = graphql(`
  mutation ChangePassword($password: String!, $newPassword: String!) {
    changePassword(password: $password, newPassword: $newPassword)
  }
`);

/** Turns TOTP off. */
export const DisableTwoFactor = graphql(`
  mutation DisableTwoFactor($password: String!, $code: String!) {
    disableTwoFactor(password: $password, code: $code)
  }
`);

/** Ten new recovery codes in place of the old ones. */
export const RenewRecoveryCodes = graphql(`
  mutation RenewRecoveryCodes($password: String!, $code: String) {
    renewRecoveryCodes(password: $password, code: $code) {
      recoveryCodes
    }
  }
`);

/** Every passkey of the caller: there are at most 50. */
export const Passkeys = graphql(`
  query Passkeys {
    passkeys(perPage: 100) {
      data {
        id
        name
        deviceType
        backedUp
        createdAt
        lastUsedAt
      }
    }
  }
`);

/** A passkey of the list. */
export type Passkey = NonNullable<ResultOf<typeof Passkeys>['passkeys']>['data'][number];

/** Gives a passkey another name. */
export const RenamePasskey = graphql(`
  mutation RenamePasskey($id: ID!, $name: String!) {
    updatePasskey(id: $id, input: { name: $name }) {
      id
    }
  }
`);

/** Removes a passkey. */
export const DeletePasskey = graphql(`
  mutation DeletePasskey($id: ID!) {
    deletePasskey(id: $id)
  }
`);
