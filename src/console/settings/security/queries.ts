import { graphql, type ResultOf } from '../../api/graphql.ts';

export const ChangePassword = graphql(`
  mutation ChangePassword($password: String!, $newPassword: String!) {
    changePassword(password: $password, newPassword: $newPassword)
  }
`);

export const DisableTwoFactor = graphql(`
  mutation DisableTwoFactor($password: String!, $code: String!) {
    disableTwoFactor(password: $password, code: $code)
  }
`);

/** Replaces the recovery codes with ten new ones. */
export const RenewRecoveryCodes = graphql(`
  mutation RenewRecoveryCodes($password: String!, $code: String) {
    renewRecoveryCodes(password: $password, code: $code) {
      recoveryCodes
    }
  }
`);

/** All passkeys of the caller; at most 50. */
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

/** Passkey in the list. */
export type Passkey = NonNullable<ResultOf<typeof Passkeys>['passkeys']>['data'][number];

export const RenamePasskey = graphql(`
  mutation RenamePasskey($id: ID!, $name: String!) {
    updatePasskey(id: $id, input: { name: $name }) {
      id
    }
  }
`);

export const DeletePasskey = graphql(`
  mutation DeletePasskey($id: ID!) {
    deletePasskey(id: $id)
  }
`);
