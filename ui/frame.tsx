// The frame: sandbox, connection, clock and navigation.
import { effect, signal } from '@preact/signals';
import { FileMenu } from './files/file-menu.js';
import { isRunning, now } from './live/clock.js';
import { linkTo, route, type ViewName, views } from './live/route.js';
import { connection, entries, isShown, notice, trouble, version } from './live/sandbox.js';
import { Choice } from './parts/field.js';
import { Instant } from './parts/instant.js';
import { SandboxSwitch } from './sandbox-switch.js';

export const titles: Readonly<Record<ViewName, string>> = {
  overview: 'Overview',
  world: 'World',
  requests: 'Requests',
  readings: 'Readings & faults',
  theatre: 'Theatre',
};

const words = {
  connecting: 'connecting',
  live: 'live',
  lost: 'connection lost',
  missing: 'no sandbox',
  locked: 'locked',
};

const themes = [
  ['system', 'Auto'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;
const THEME = 'cwx-fake theme';
const theme = signal(localStorage.getItem(THEME) ?? 'system');
effect(() => {
  document.documentElement.dataset.theme = theme.value;
  localStorage.setItem(THEME, theme.value);
});

export function Header() {
  return (
    <header class="top">
      <a class="brand" href="#/" aria-label="cwx-fake, the default sandbox">
        <img src="icon.svg" alt="" width="20" height="20" />
        <span>cwx-fake</span>
      </a>
      <SandboxSwitch />
      <nav class="tabs" aria-label="Views">
        {views.map(view => (
          <a key={view} href={linkTo({ view })} aria-current={route.value.view === view ? 'page' : undefined}>
            {titles[view]}
            {view === 'requests' && entries.value.length > 0 && (
              <span class="num count">{entries.value.length.toLocaleString('en')}</span>
            )}
          </a>
        ))}
      </nav>
      <span class="spacer" />
      {isShown.value && (
        <>
          <span class="chip-now num" title={`The sandbox's clock, ${isRunning.value ? 'running' : 'stopped'}`}>
            {now.value && <Instant at={now.value} withDay />} UTC
            {!isRunning.value && <span class="sr-only"> stopped</span>}
            {!isRunning.value && <span aria-hidden="true"> ❚❚</span>}
          </span>
          <span class="chip-version num" title="Version: number of changes">
            v{version.value}
          </span>
        </>
      )}
      <span class={`connection ${connection.value}`} role="status" title={trouble.value}>
        <span class="dot" aria-hidden="true" />
        <span>{words[connection.value]}</span>
      </span>
      <FileMenu />
      <Choice label="Theme" value={theme.value} options={themes} onChange={wanted => (theme.value = wanted)} />
    </header>
  );
}

/** `isQuiet`: for an audience, show only a lost connection. */
export function Notices({ isQuiet }: { readonly isQuiet: boolean }) {
  const { value } = connection;
  return (
    <>
      {value === 'lost' && (
        <div class="notice warn" role="alert">
          Connection lost: {trouble.value} It reconnects automatically and catches up.
        </div>
      )}
      {notice.value !== '' && !isQuiet && (
        <div class="notice" role="status">
          {notice.value}
          <button type="button" class="quiet" aria-label="Dismiss" onClick={() => (notice.value = '')}>
            ✕
          </button>
        </div>
      )}
    </>
  );
}
