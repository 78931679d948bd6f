import { graphql } from '../api/graphql.ts';

/** Creates a TOTP secret. */
export const SetUpTwoFactor = graphql(`
  mutation SetUpTwoFactor {
    setUpTwoFactor {
      secret
      otpauthUri
      qrSvg
    }
  }
`);

/** Enables TOTP. */
export const ConfirmTwoFactor = graphql(`
  mutation ConfirmTwoFactor($code: String!) {
    confirmTwoFactor(code: $code) {
      recoveryCodes
    }
  }
`);

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
