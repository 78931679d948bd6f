/** A page of the settings. */
export interface SettingsPlace {
  readonly label: string;
  readonly href: string;
}

/** The settings: what is the caller's own, then what is everybody's. */
export const settingsGroups: readonly { readonly label: string; readonly places: readonly SettingsPlace[] }[] = [
  {
    label: 'Your account',
    places: [
      { label: 'Profile', href: '/settings' },
      { label: 'Security', href: '/settings/security' },
      { label: 'API tokens', href: '/settings/tokens' },
      { label: 'Sessions', href: '/settings/sessions' },
      { label: 'Notifications', href: '/settings/notifications' },
    ],
  },
  {
    label: 'Organization',
    places: [
      { label: 'General', href: '/settings/organization' },
      { label: 'Members', href: '/settings/members' },
      { label: 'Invitations', href: '/settings/invitations' },
      { label: 'Exchange rates', href: '/settings/exchange-rates' },
      { label: 'Audit log', href: '/settings/audit' },
    ],
  },
];
