import { z } from 'zod';

/** Organization and Super Admin of a first start without a browser, as written in the variables. They are checked when they
 *  are used: later starts ignore them. */
export interface InitSettings {
  readonly organization: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
  /** API token of the Super Admin. Null: none. */
  readonly token: string | null;
}

/** Variables of the first start without a browser. */
export const initVariables = {
  COSTKEEP_INIT_ORGANIZATION: z.string().optional(),
  COSTKEEP_INIT_EMAIL: z.string().optional(),
  COSTKEEP_INIT_NAME: z.string().optional(),
  COSTKEEP_INIT_PASSWORD: z.string().optional(),
  COSTKEEP_INIT_TOKEN: z.string().optional(),
};

const required = ['COSTKEEP_INIT_ORGANIZATION', 'COSTKEEP_INIT_EMAIL', 'COSTKEEP_INIT_PASSWORD'];

/** Names missing and unknown variables. Ignoring them would leave the server open to the first visitor.
 *  @param env without empty variables */
export function initProblems(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = Object.keys(initVariables);
  const isFileOfSecret = (name: string) => name.endsWith('_FILE') && Boolean(env[name.slice(0, -'_FILE'.length)]);
  const given = Object.keys(env).filter((name) => name.startsWith('COSTKEEP_INIT_') && !isFileOfSecret(name));
  const unknown = given.filter((name) => !known.includes(name));
  const missing = given.length === 0 ? [] : required.filter((name) => !given.includes(name));
  return [
    ...unknown.map((name) => `${name}: unknown variable; use ${known.join(', ')}`),
    ...missing.map(
      (name) => `${name}: missing, although other COSTKEEP_INIT_ variables are set; set it, or unset them`,
    ),
  ];
}

/** The settings of the first start; null without them. */
export function initSettings(values: z.output<z.ZodObject<typeof initVariables>>): InitSettings | null {
  const { COSTKEEP_INIT_ORGANIZATION: organization, COSTKEEP_INIT_EMAIL: email } = values;
  const { COSTKEEP_INIT_NAME: name, COSTKEEP_INIT_PASSWORD: password, COSTKEEP_INIT_TOKEN: token } = values;
  if (organization === undefined || email === undefined || password === undefined) return null;
  return { organization, email, name: name ?? email.split('@')[0] ?? email, password, token: token ?? null };
}
