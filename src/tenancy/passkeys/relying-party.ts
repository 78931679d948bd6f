import type { Config } from '../../kit/config.ts';

/** Who asks for passkeys, as browsers and authenticators know it. */
export interface RelyingParty {
  /** Shown to people. */
  readonly name: string;
  /** The host name that passkeys are bound to: after another `PUBLIC_URL` they are no longer good. */
  readonly id: string;
  /** Where the page that asks must come from. */
  readonly origin: string;
}

/** The relying party that `PUBLIC_URL` makes of this server. */
export function relyingParty({ publicUrl }: Pick<Config, 'publicUrl'>): RelyingParty {
  const { hostname, origin } = new URL(publicUrl);
  return { name: 'Costkeep', id: hostname, origin };
}
