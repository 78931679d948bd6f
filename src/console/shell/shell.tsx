import { AppShell, Box, Burger, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type KeyboardEvent, lazy, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { type Me, MeProvider, MeQuery } from '../api/me.tsx';
import { leave, useSession } from '../api/session.ts';
import { type Answer, useAnswer } from '../api/use-api.ts';
import { useDraftsOfAccess } from '../parts/form/drafts.ts';
import { RefusalPage, usePolling, WaitNote } from '../parts/page/page.tsx';
import { NotificationBell } from './bell.tsx';
import { Finder } from './finder.tsx';
import { Logo, Starting } from './logo.tsx';
import { isAt, navigation, type NavItem } from './navigation.ts';
import { Pages } from './pages.tsx';
import classes from './shell.module.css';
import { SkipLinks } from './skip-links.tsx';
import { UserMenu } from './user-menu.tsx';

const ForcedSetUp = lazy(async () => ({ default: (await import('../two-factor/forced-set-up.tsx')).ForcedSetUp }));

/** Frame of the console for signed-in users; renders once the user is loaded. */
export function Shell() {
  const session = useSession();
  const answer = useAnswer(MeQuery, {});
  const me = answer.data?.me ?? null;
  useAgainOnReturn(answer);
  // Pages are empty until the first sync has loaded a month.
  usePolling(answer, (data) => isAwaitingCosts(data.me), 4000);
  const mustSetUp = me?.twoFactorSetupRequired ?? (session.at === 'in' && session.mustSetUpTwoFactor);
  // For the server, the setup is complete before its last step, the recovery codes, so the setup reports its own end.
  const [isSettingUp, setSettingUp] = useState(mustSetUp);
  const [wasRequired, setWasRequired] = useState(mustSetUp);
  if (mustSetUp !== wasRequired) {
    setWasRequired(mustSetUp);
    if (mustSetUp) setSettingUp(true);
  }
  useDraftsOfAccess(`${me?.role} ${isSettingUp}`);
  const endSetUp = () => {
    setSettingUp(false);
    answer.again();
  };
  const { refusal } = answer;
  useEffect(() => {
    if (refusal?.code === 'UNAUTHORIZED') leave('Your session has ended. Sign in again to continue.');
  }, [refusal]);
  if (!me) return refusal ? <RefusalPage refusal={refusal} again={answer.again} /> : <Starting />;
  return <MeProvider me={me}>{isSettingUp ? <ForcedSetUp onDone={endSetUp} /> : <Frame />}</MeProvider>;
}

function isAwaitingCosts(me: Me | null): boolean {
  return me !== null && me.organization.accountCount > 0 && !me.organization.costsLoaded;
}

/** Refetches the user when they return to the tab, because their role may have changed or their session ended. */
function useAgainOnReturn({ again }: Answer<unknown>): void {
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && again();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [again]);
}

function Frame() {
  const [isOpen, { toggle, close }] = useDisclosure();
  const [path] = useLocation();
  useEffect(close, [path, close]);
  const burger = useRef<HTMLButtonElement>(null);
  const closeByKey = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || !isOpen) return;
    burger.current?.focus();
    close();
  };
  return (
    <AppShell
      header={{ height: { base: 52, md: 0 } }}
      navbar={{ width: 220, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
      classNames={{ navbar: classes.navbar, header: classes.header }}
    >
      <SkipLinks />
      <AppShell.Header hiddenFrom="md" onKeyDown={closeByKey}>
        <Group h="100%" px="sm" justify="space-between">
          <Burger ref={burger} opened={isOpen} onClick={toggle} size="sm" aria-label="Menu" aria-expanded={isOpen} />
          <Link href="/" aria-label="Costkeep: overview" className={classes.brand}>
            <Logo />
          </Link>
          <Group gap={4} wrap="nowrap">
            <NotificationBell />
            <UserMenu isSmall />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar mod={{ closed: !isOpen }} onKeyDown={closeByKey}>
        <SideBar onFollow={close} />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} className={classes.main}>
        <div className={classes.content}>
          <WaitNote />
          <Pages />
        </div>
      </AppShell.Main>
    </AppShell>
  );
}

/** Navigation and user menu.
 *  @param onFollow called when an entry is chosen, even that of the current page */
function SideBar({ onFollow }: { onFollow(): void }) {
  return (
    <div className={classes.bar}>
      <Group justify="space-between" wrap="nowrap">
        <Link href="/" aria-label="Costkeep: overview" className={classes.brand} style={{ padding: '0 8px' }}>
          <Logo />
        </Link>
        <Box visibleFrom="md">
          <NotificationBell />
        </Box>
      </Group>
      <Finder />
      <nav className={classes.places} aria-label="Pages">
        {navigation.map(({ label, items }) => (
          <div key={label ?? ''}>
            {label && <div className={classes.group}>{label}</div>}
            <ul className="plain">
              {items.map((item) => (
                <li key={item.href}>
                  <Place item={item} onFollow={onFollow} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className={classes.foot}>
        <UserMenu />
      </div>
    </div>
  );
}

function Place({ item: { label, href, Icon }, onFollow }: { readonly item: NavItem; onFollow(): void }) {
  const [path] = useLocation();
  return (
    <Link href={href} className={classes.place} onClick={onFollow} aria-current={isAt(path, href) ? 'page' : undefined}>
      <Icon size={18} stroke={1.7} aria-hidden />
      {label}
    </Link>
  );
}
