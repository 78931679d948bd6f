import { Link, useLocation } from 'wouter';
import { Finder } from './finder.tsx';
import { Logo } from './logo.tsx';
import { isAt, navigation, type NavItem } from './navigation.ts';
import classes from './shell.module.css';
import { UserMenu } from './user-menu.tsx';

/** Where one can go, who one is.
 *  @param onFollow a place was chosen, be it the one that is open */
export function SideBar({ onFollow }: { onFollow(): void }) {
  return (
    <div className={classes.bar}>
      <Link href="/" aria-label="Costkeep: overview" className={classes.brand} style={{ padding: '0 8px' }}>
        <Logo />
      </Link>
      <Finder />
      <nav className={classes.places} aria-label="Pages">
        {navigation.map(({ label, items }) => (
          <div key={label ?? ''}>
            {label && <div className={classes.group}>{label}</div>}
            <ul className={classes.list}>
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
