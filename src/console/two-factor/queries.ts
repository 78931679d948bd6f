import * as operations from '../../../schema/operations.ts';
import { graphql } from '../api/graphql.ts';

/** Creates a TOTP secret. */
export const SetUpTwoFactor = graphql(operations.setUpTwoFactor);

/** Enables TOTP. */
export const ConfirmTwoFactor = graphql(operations.confirmTwoFactor);

/** Both steps of registering a passkey; without `response` it returns the WebAuthn options. */
export const RegisterPasskey = graphql(`
  mutation RegisterPasskey($name: String, $response: JSON) {
    registerPasskey(name: $name, response: $response) {
      options
      id
      name
    }
  }
`);
