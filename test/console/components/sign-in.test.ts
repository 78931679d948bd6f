import { screen, waitFor } from '@testing-library/dom';
import { describe, expect, it } from 'vitest';
import { registerAt, type ConsoleApi } from '../client.ts';
import type { Person } from '../data.ts';
import { field, fill, logIn, openSignedOut, settled, useConsole, user, userMenu, visit } from './console.ts';
import { newOrganizationApi } from './world.ts';

const password = 'plum kite orbit';

/** Returns the token in the link of an email. */
async function tokenFor(api: ConsoleApi, email: string): Promise<string> {
  return /[?&]token=([\w.%-]+)/.exec(await api.mailTo(email))?.[1] ?? '';
}

async function register(api: ConsoleApi, person: Person, organization: string): Promise<void> {
  await registerAt(api.url, { ...person, name: 'Bea Example', organization_name: organization });
}

/** Texts of the alerts that are shown. */
function alerts(): string[] {
  return screen.queryAllByRole('alert').map(({ textContent }) => textContent.trim());
}

const opens = (name: string) => screen.findByRole('heading', { level: 1, name });

describe('signing in', () => {
  const api = newOrganizationApi();
  useConsole();

  it('registers an organization, and shows errors at their fields', async () => {
    await openSignedOut(api(), '/login');
    await user.click(screen.getByRole('link', { name: 'Create an organization' }));
    await user.click(await screen.findByRole('button', { name: 'Create organization' }));
    for (const fault of ['Enter your name', 'Enter your email address', 'Use at least 8 characters'])
      expect(await screen.findAllByText(fault)).toHaveLength(1);
    await waitFor(() => expect(document.activeElement).toBe(field('Your name')));
    await fill(field('Your name'), 'Cleo Example');
    await fill(field('Email'), api().admin.email);
    await fill(field('Password'), 'password1');
    await fill(field('Organization name'), 'Copper Lark');
    await user.keyboard('{Enter}');
    await screen.findByText(/Password is one of the most common passwords/);
    await fill(field('Password'), password);
    await user.keyboard('{Enter}');
    await waitFor(() => expect(alerts()).toEqual([expect.stringContaining('is already registered')]));
    expect(screen.getByRole('link', { name: 'Sign in instead' }).getAttribute('href')).toBe('/login');
    await fill(field('Email'), 'cleo@example.com');
    await user.keyboard('{Enter}');
    await opens('Overview');
    expect(location.pathname).toBe('/');
    await waitFor(() => expect(userMenu().textContent).toContain('Copper Lark'));
  });

  it('reports a wrong password and an unknown address alike, and how long a lock lasts', async () => {
    const wrong = 'The email or the password is wrong.';
    await openSignedOut(api(), '/login');
    await logIn({ email: 'nobody@example.com', password: 'not the password' });
    expect(alerts()).toEqual([wrong]);
    for (const _ of Array.from({ length: 5 })) {
      await logIn({ email: api().admin.email, password: 'not the password' });
      expect(alerts()).toEqual([wrong]);
    }
    await logIn(api().admin);
    expect(alerts()).toEqual([expect.stringContaining('Temporarily locked')]);
    expect(alerts()[0]).toMatch(/try again in (1 min 00|\d\d?) s/);
    await fill(field('Email'), 'nobody@example.com');
    await waitFor(() => expect(alerts()).toEqual([]));
  });

  it('resets a forgotten password by mail, once, which also ends the lock', async () => {
    const { email } = api().admin;
    for (const address of ['nobody@example.com', email]) {
      await openSignedOut(api(), '/forgot-password');
      await fill(field('Email'), address);
      await user.keyboard('{Enter}');
      await waitFor(() =>
        expect(document.body.textContent).toContain(
          `If an account with ${address} exists, you will receive an email with a link.`,
        ),
      );
    }
    const link = `/reset-password?token=${await tokenFor(api(), email)}`;
    await openSignedOut(api(), link);
    await fill(field('New password'), 'short');
    await user.keyboard('{Enter}');
    await screen.findByText('Use at least 8 characters');
    await fill(field('New password'), 'amber quiet river');
    await user.keyboard('{Enter}');
    await screen.findByRole('heading', { name: 'Password changed' });
    await user.click(screen.getByRole('link', { name: 'Sign in' }));
    await logIn({ email, password: 'amber quiet river' });
    await screen.findByRole('main');
    await waitFor(() => expect(document.getElementById('main')).not.toBeNull());
    await visit(link);
    await fill(field('New password'), 'another quiet river');
    await user.keyboard('{Enter}');
    await screen.findByRole('heading', { name: 'This link is no longer valid' });
    await user.click(screen.getByRole('link', { name: 'Send a new link' }));
    await waitFor(() => expect(location.pathname).toBe('/forgot-password'));
  });

  it('accepts an invitation with a new account, and with an account that exists', async () => {
    const owner = { email: 'dora@example.com', password };
    const known = { email: 'eli@example.com', password };
    await register(api(), owner, 'Dune Otter');
    await register(api(), known, 'Elm Finch');
    const emails = ['fay@example.com', known.email];
    await api().rest('POST', '/org/invite', { body: { emails, role: 'viewer' }, as: owner });
    for (const [token, fault] of [
      ['of-another-time', /This invitation is unknown: the link is incomplete/],
      [await tokenFor(api(), 'fay@example.com'), /Email must be the address that the invitation was sent to/],
    ] as const) {
      await openSignedOut(api(), `/invite?token=${token}`);
      await fill(field('Your name'), 'Fay Example');
      await fill(field('Email'), 'someone@example.com');
      await fill(field('Password'), password);
      await user.keyboard('{Enter}');
      await screen.findByText(fault);
    }
    expect(screen.queryByRole('heading', { name: 'This invitation is no longer valid' })).toBeNull();
    await fill(field('Email'), 'fay@example.com');
    await user.keyboard('{Enter}');
    await opens('Overview');
    await waitFor(() => expect(userMenu().textContent).toContain('Dune Otter'));

    await openSignedOut(api(), `/invite?token=${await tokenFor(api(), 'fay@example.com')}`);
    await fill(field('Your name'), 'Fay Example');
    await fill(field('Email'), 'fay@example.com');
    await fill(field('Password'), password);
    await user.keyboard('{Enter}');
    await opens('This invitation is no longer valid');
    expect(screen.queryByLabelText('Password')).toBeNull();
    await screen.findByText(/already accepted; sign in/);

    await openSignedOut(api(), `/invite?token=${await tokenFor(api(), known.email)}`);
    await user.click(screen.getByRole('link', { name: 'Sign in to accept' }));
    await settled();
    await logIn(known);
    await user.click(await screen.findByRole('button', { name: 'Accept invitation' }));
    await waitFor(() =>
      expect(userMenu().getAttribute('aria-label') ?? userMenu().textContent).toContain('Dune Otter'),
    );
    await waitFor(() => expect(location.pathname).toBe('/'));
    await visit(`/invite?token=${await tokenFor(api(), known.email)}`);
    await user.click(await screen.findByRole('button', { name: 'Accept invitation' }));
    await waitFor(() => expect(alerts()).toEqual([expect.stringContaining('already accepted')]));
    await waitFor(() => expect(document.activeElement?.id).toBe('page-title'));
    expect(screen.getAllByRole('link', { name: 'Go to the overview' })).toHaveLength(1);
  });
});
