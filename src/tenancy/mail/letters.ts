import type { Role } from '../../../prisma/generated/client/enums.ts';
import type { Config } from '../../kit/config/config.ts';
import { formatInstant } from '../../kit/text/format.ts';
import { layOut } from './layout.ts';
import { unlinked, visible } from './names.ts';
import type { Letter } from './queue-mail.ts';

type Settings = Pick<Config, 'publicUrl'>;

const roleNames = {
  super_admin: 'the Super Admin',
  admin: 'an Admin',
  member: 'a Member',
  viewer: 'a Viewer',
} as const satisfies Record<Role, string>;

/** The link of an invitation. */
export function inviteUrl({ publicUrl }: Settings, token: string): string {
  return linkTo(publicUrl, 'invite', token);
}

/** An invitation to an organization.
 *  @param invitation `inviterName` is null if the inviter is no longer a member */
export function invitationLetter(
  { publicUrl }: Settings,
  invitation: {
    readonly to: string;
    readonly organizationName: string;
    readonly inviterName: string | null;
    readonly role: Role;
    readonly token: string;
    readonly expiresAt: Date;
  },
): Letter {
  const { to, organizationName, inviterName, role, token, expiresAt } = invitation;
  const organization = unlinked(organizationName);
  const who = inviterName === null ? 'You are invited' : `${unlinked(inviterName)} invites you`;
  const content = {
    to,
    subject: `Join ${visible(organizationName)} on Costkeep`,
    heading: `Join ${organization} on Costkeep`,
    paragraphs: [
      `${who} to ${organization} on Costkeep, as ${roleNames[role]}.`,
      'Costkeep shows what your clouds cost and where you can save, and alerts you to unexpected spend.',
    ],
    action: { label: 'Accept the invitation', url: inviteUrl({ publicUrl }, token) },
    notes: [`The link is only for ${to}, and works until ${formatInstant(expiresAt)}.`],
    reason: 'You received this email because you were invited. If you did not expect it, you can ignore it.',
  };
  return { ...layOut(content, publicUrl), goodUntil: expiresAt };
}

/** A password reset link. */
export function passwordResetLetter(
  { publicUrl }: Settings,
  reset: { readonly to: string; readonly name: string; readonly token: string; readonly expiresAt: Date },
): Letter {
  const { to, name, token, expiresAt } = reset;
  const content = {
    to,
    subject: 'Choose a new password',
    paragraphs: [`Hello ${unlinked(name)},`, 'A new password was requested for your Costkeep account.'],
    action: { label: 'Choose a password', url: resetUrl({ publicUrl }, token) },
    notes: [
      `The link works once, until ${formatInstant(expiresAt)}. A new password signs you out everywhere.`,
      'If you did not request it, ignore this email; your password stays the same.',
    ],
    reason: `You received this email because a new password was requested for ${to}.`,
  };
  return { ...layOut(content, publicUrl), goodUntil: expiresAt };
}

/** Link that sets a password, once. */
export function resetUrl({ publicUrl }: Settings, token: string): string {
  return linkTo(publicUrl, 'reset-password', token);
}

/** Notifies a user that their password was changed, in case it was not them.
 *  @param change `isReset`: by a link in an email, which ends all sessions, not only the others */
export function passwordChangedLetter(
  { publicUrl }: Settings,
  change: {
    readonly to: string;
    readonly name: string;
    readonly at: Date;
    readonly ipAddress: string;
    readonly isReset: boolean;
  },
): Letter {
  const { to, name, at, ipAddress, isReset } = change;
  const ended = isReset ? 'You have been signed out everywhere: sign in again.' : 'All other sessions were ended.';
  const content = {
    to,
    subject: 'Your password was changed',
    paragraphs: [
      `Hello ${unlinked(name)},`,
      `The password of your Costkeep account was changed on ${formatInstant(at)}, from the IP address ${ipAddress}. ${ended}`,
    ],
    notes: [
      'If this was you, no action is needed.',
      'If it was not, open Costkeep, select “Forgot your password?”, and notify an Admin of your organization.',
    ],
    reason: `You received this email because ${to} is the address of a Costkeep account.`,
  };
  return layOut(content, publicUrl);
}

/** Descriptions of changes of second factors. */
const factorChanges = {
  two_factor_enabled: 'An authenticator app was set up for your Costkeep account',
  two_factor_disabled: 'The authenticator app of your Costkeep account was removed',
  recovery_codes_renewed: 'The recovery codes of your Costkeep account were replaced',
  passkey_added: 'A passkey was added to your Costkeep account',
  passkey_removed: 'A passkey was removed from your Costkeep account',
} as const;

/** A change of second factors, by its name in the audit log. */
export type FactorChange = keyof typeof factorChanges;

/** Notifies a user that their second factors were changed, in case it was not them. */
export function factorChangedLetter(
  { publicUrl }: Settings,
  change: {
    readonly to: string;
    readonly name: string;
    readonly at: Date;
    readonly ipAddress: string;
    readonly action: FactorChange;
  },
): Letter {
  const { to, name, at, ipAddress, action } = change;
  const content = {
    to,
    subject: 'Your sign-in settings were changed',
    paragraphs: [
      `Hello ${unlinked(name)},`,
      `${factorChanges[action]} on ${formatInstant(at)}, from the IP address ${ipAddress}.`,
    ],
    notes: [
      'If this was you, no action is needed.',
      'If it was not, open Costkeep, select “Forgot your password?”, and notify an Admin of your organization.',
    ],
    reason: `You received this email because ${to} is the address of a Costkeep account.`,
  };
  return layOut(content, publicUrl);
}

function linkTo(publicUrl: string, page: 'invite' | 'reset-password', token: string): string {
  return `${publicUrl}/${page}?token=${encodeURIComponent(token)}`;
}
