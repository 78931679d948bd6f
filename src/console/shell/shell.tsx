import { AppShell, Burger, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { Link, useLocation } from 'wouter';
import type { ResultOf } from '../api/graphql.ts';
import { MeProvider, MeQuery, type Me } from '../api/me.tsx';
import { leave } from '../api/session.ts';
import { useAnswer, type Answer } from '../api/use-answer.ts';
import { useSession } from '../api/use-session.ts';
import { RefusalPage } from '../parts/refusal.tsx';
import { ForcedSetUp } from '../two-factor/forced-set-up.tsx';
import { Pages } from './pages.tsx';
import { Logo } from './logo.tsx';
import classes from './shell.module.css';
import { SideBar } from './side-bar.tsx';
import { Starting } from './starting.tsx';
import { UserMenu } from './user-menu.tsx';

/** Everything of those who are signed in: who they are is known before anything is drawn. */
export function Shell() {
  const session = useSession();
  const answer = useAnswer(MeQuery, {});
  const me = useLastMe(answer);
  const mustSetUp = me?.twoFactorSetupRequired ?? (session.at === 'in' && session.mustSetUpTwoFactor);
  // Its last step, the recovery codes, comes when the server is content already: it ends when it says so.
  const [isSettingUp, setSettingUp] = useState(mustSetUp);
  const [wasRequired, setWasRequired] = useState(mustSetUp);
  if (mustSetUp !== wasRequired) {
    setWasRequired(mustSetUp);
    if (mustSetUp) setSettingUp(true);
  }
  const endSetUp = () => {
    setSettingUp(false);
    answer.again();
  };
  const { refusal } = answer;
  useEffect(() => {
    if (refusal?.code === 'UNAUTHORIZED') leave('Your session has ended. Log in again to go on.');
  }, [refusal]);
  if (!me) return refusal ? <RefusalPage refusal={refusal} again={answer.again} /> : <Starting />;
  return <MeProvider me={me}>{isSettingUp ? <ForcedSetUp onDone={endSetUp} /> : <Frame />}</MeProvider>;
}

/** The caller as last told: a question that fails later takes no page away. Asked again by who comes back to the tab,
 *  because their role may have changed, or their session ended. */
function useLastMe({ data, again }: Answer<ResultOf<typeof MeQuery>>): Me | null {
  const [last, setLast] = useState<Me | null>(null);
  const known = data?.me ?? last;
  if (known !== last) setLast(known);
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && again();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [again]);
  return known;
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
      <a href="#main" className={classes.skip}>
        Skip to the content
      </a>
      <AppShell.Header hiddenFrom="md" onKeyDown={closeByKey}>
        <Group h="100%" px="sm" justify="space-between">
          <Burger ref={burger} opened={isOpen} onClick={toggle} size="sm" aria-label="Menu" aria-expanded={isOpen} />
          <Link href="/" aria-label="Costkeep: overview" className={classes.brand}>
            <Logo />
          </Link>
          <UserMenu isSmall />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar mod={{ closed: !isOpen }} onKeyDown={closeByKey}>
        <SideBar onFollow={close} />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} className={classes.main}>
        <div className={classes.content}>
          <Pages />
        </div>
      </AppShell.Main>
    </AppShell>
  );
}
