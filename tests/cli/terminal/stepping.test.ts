// A play controlled by keys: where each key leads, what is shown, and the world each step is played on.
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { playStraight } from '../../../server/cli/terminal/continuous.js';
import { type Key, type Keys, keyOf, keysFrom } from '../../../server/cli/terminal/keys.js';
import { type Prompt, playStepwise } from '../../../server/cli/terminal/stepping.js';
import { summaryText } from '../../../server/scenario/play/results.js';
import { growing, type Showing, showing } from '../../support/scenarios/showing.js';

const never = new Promise<void>(() => {});

/** Keys available from the start, followed by the end of input. */
function script(...keys: readonly Key[]): Keys {
  const waiting = [...keys];
  return {
    next: async () => waiting.shift() ?? 'end',
    ended: never,
    forget: () => {},
    press: () => {},
    close: () => {},
  };
}

describe('a play controlled by keys', () => {
  let play: Showing;
  const asked: string[] = [];
  const prompt: Prompt = {
    ask: ([text = '']) => void asked.push(text.replace(/ · b: .*/, '')),
    clear: () => {},
    wipe: () => void play.shown.push('wipe'),
    print: line => void play.shown.push(line.trim()),
  };
  beforeEach(async () => {
    asked.length = 0;
    play = await showing({ growing, other: 'title: Other\nsteps: [{ say: Hello }]\n' });
  });
  afterEach(() => play.end());

  /** `step`: all keys of a step with a request. Returns the views shown. */
  const led = async (...keys: ReadonlyArray<Key | 'step'>) => {
    const all = keys.flatMap((key): Key[] => (key === 'step' ? ['on', 'on', 'on'] : [key]));
    await playStepwise(play, script(...all), prompt);
    return play.shown.filter(line => !/ (announced|asks \w+)$/.test(line));
  };

  it('shows a step in three parts, with a pause before the request and before its answer', async () => {
    await led('on', 'on', 'help', 'on', 'on');
    expect(play.shown.filter(line => /^(Growing|\d)/.test(line))).to.deep.equal([
      ...['Growing 1/2', '1 announced', '1 asks POST', '1 passed', '2 announced'],
    ]);
    expect(asked).to.deep.equal([
      '3 steps · space: on',
      'step 1 of 3 · space: the request',
      'step 1 of 3 · space: the answer',
      'step 1 of 3 · space: the answer',
      'step 1 of 3 · space: on',
      'step 2 of 3 · space: the request',
    ]);
    expect(summaryText(play.results)).to.contain('1 step passed').and.contain('ended in growing at step 1 of 3');
  });

  it('goes back from within a step to its beginning', async () => {
    expect(await led('step', 'on', 'on', 'back', 'step')).to.deep.equal([
      ...['Growing 1/2', '1 passed', 'wipe', 'Growing 1/2', '1 passed', '2 passed'],
    ]);
  });

  it('shows the current view again when the terminal is resized', async () => {
    await led('redraw', 'step', 'on', 'on', 'redraw', 'on');
    expect(play.shown).to.deep.equal([
      ...['Growing 1/2', 'wipe', 'Growing 1/2', '1 announced', '1 asks POST', '1 passed', '2 announced', '2 asks POST'],
      ...['wipe', '1 passed', '2 announced', '2 asks POST', '2 passed'],
    ]);
  });

  it('goes on step by step and scenario by scenario, to the end', async () => {
    expect(await led('step', 'step', 'step', 'on', 'on', 'on')).to.deep.equal([
      'Growing 1/2',
      '1 passed',
      '2 passed',
      '3 passed',
      'Other 2/2',
      '1 passed',
    ]);
    expect(asked).to.deep.equal([
      ...['3 steps · space: on', 'step 1 of 3 · space: the request', 'step 1 of 3 · space: the answer'],
      ...['step 1 of 3 · space: on', 'step 2 of 3 · space: the request', 'step 2 of 3 · space: the answer'],
      ...['step 2 of 3 · space: on', 'step 3 of 3 · space: the request', 'step 3 of 3 · space: the answer'],
      'step 3 of 3 · space: on',
      '1 step · space: on',
      'step 1 of 1 · the end',
    ]);
    expect(play.results.counts()).to.deep.equal({ scenarios: 2, passed: 4, failed: 0, skipped: 0 });
  });

  it('goes back one step on a fork of the world, and forward again', async () => {
    expect(await led('step', 'step', 'step', 'back', 'step')).to.deep.equal([
      ...['Growing 1/2', '1 passed', '2 passed', '3 passed'],
      ...['wipe', 'Growing 1/2', '2 passed', '3 passed'],
    ]);
    expect(play.results.counts()).to.deep.equal({ scenarios: 1, passed: 3, failed: 0, skipped: 0 });
  });

  it('goes back to the title, and from a title to the last step of the scenario before', async () => {
    expect(await led('step', 'back', 'back', 'step', 'step', 'step', 'on', 'back')).to.deep.equal([
      ...['Growing 1/2', '1 passed', 'wipe', 'Growing 1/2'],
      ...['1 passed', '2 passed', '3 passed', 'Other 2/2'],
      ...['wipe', 'Growing 1/2', '3 passed'],
    ]);
  });

  it('restarts the scenario', async () => {
    expect(await led('step', 'step', 'restart', 'step')).to.deep.equal([
      ...['Growing 1/2', '1 passed', '2 passed', 'wipe', 'Growing 1/2', '1 passed'],
    ]);
  });

  it('counts the steps shown at the end, not the furthest reached', async () => {
    await led('step', 'step', 'step', 'back', 'back', 'end');
    expect(summaryText(play.results)).to.equal(
      '1 scenario, 1 step passed, 0 failed, 0 skipped, ended in growing at step 1 of 3',
    );
  });

  it('counts from zero after a restart, without the steps gone back over', async () => {
    await led('step', 'step', 'step', 'on', 'on', 'back', 'back', 'restart', 'step', 'step', 'end');
    expect(summaryText(play.results)).to.equal(
      '1 scenario, 2 steps passed, 0 failed, 0 skipped, ended in growing at step 2 of 3',
    );
  });

  it('does not count a failure that was gone back over', async () => {
    play.end();
    play = await showing({ growing: growing.replace('[alice, carol] }', '[carol] }') });
    await led('step', 'step', 'back', 'end');
    expect(play.shown).to.include('2 failed');
    expect([play.results.outcome, summaryText(play.results)]).to.deep.equal([
      'passed',
      '1 scenario, 1 step passed, 0 failed, 0 skipped, ended at step 1 of 3',
    ]);
  });

  it('is empty if quit before the first step, and not if a step was shown', async () => {
    await led('end');
    expect([play.results.outcome, play.results.left]).to.deep.equal(['empty', 'in growing before step 1 of 3']);
    play.end();
    play = await showing({ growing });
    await led('step', 'restart', 'end');
    expect([play.results.outcome, play.results.left]).to.deep.equal(['passed', 'before step 1 of 3']);
  });

  it('does not count as quit at its end', async () => {
    await led('step', 'step', 'step', 'on', 'on', 'end');
    expect([play.results.outcome, play.results.left]).to.deep.equal(['passed', undefined]);
  });

  it('shows the keys and stays where it is', async () => {
    const shown = await led('step', 'help', 'step');
    expect(shown.slice(2, -1)).to.deep.equal([
      'space, enter, n, → go on',
      'b, ← go back one step',
      'r restart this scenario',
      'q, Ctrl-C end',
      '? show this',
    ]);
    expect(shown.at(-1)).to.equal('2 passed');
  });

  it('stops where told to', async () => {
    expect(await led('step', 'end', 'step')).to.deep.equal(['Growing 1/2', '1 passed']);
  });

  it('does not wait for a pending answer after quitting, nor shows it', async () => {
    const input = new PassThrough();
    const keys = keysFrom(input, never);
    let answer = () => {};
    const slow = {
      ...play,
      playerFor: (run: Showing['runs'][number]) => {
        const player = play.playerFor(run);
        const { target } = player;
        const send = target.send.bind(target);
        Object.assign(target, {
          send: (request: Parameters<typeof send>[0]) =>
            new Promise((resolve, reject) => {
              answer = () => void send(request).then(resolve, reject);
            }),
        });
        return player;
      },
    };
    const over = playStepwise(slow, keys, prompt);
    await turn();
    input.write(' ');
    await turn();
    input.write(' ');
    await turn();
    input.write(' ');
    while (answer.toString() === '() => {}') await turn();
    input.write('\u0003');
    await over;
    answer();
    await turn();
    expect(play.shown).to.deep.equal(['Growing 1/2', '1 announced', '1 asks POST']);
    keys.close();
  });
});

describe('an automatic play', () => {
  it('pauses between two steps and nowhere else', async () => {
    const play = await showing({ growing, other: 'title: Other\nsteps: [{ say: Hello }]\n', none: 'title: None\n' });
    const wait = async () => void play.shown.push('wait');
    await playStraight(play, wait, () => false);
    play.end();
    expect(play.shown).to.deep.equal([
      ...[
        'Growing 1/3',
        '1 passed',
        'wait',
        '2 passed',
        'wait',
        '3 passed',
        'Other 2/3',
        'wait',
        '1 passed',
        'None 3/3',
      ],
    ]);
    expect(play.results.counts().scenarios).to.equal(3);
  });

  it('plays no step once stopped', async () => {
    const play = await showing({ growing });
    let isOver = false;
    await playStraight(
      play,
      async () => {
        isOver = true;
      },
      () => isOver,
    );
    play.end();
    expect(play.shown).to.deep.equal(['Growing 1/1', '1 passed']);
  });
});

describe('the keys of a play', () => {
  const typed = async (text: string, count: number) => {
    const input = new PassThrough();
    const keys = keysFrom(input, never);
    input.write(text);
    const found: Key[] = [];
    for (let i = 0; i < count; i += 1) found.push(await keys.next());
    keys.close();
    return found;
  };

  for (const [text, key] of [
    [' ', 'on'],
    ['\r', 'on'],
    ['\n', 'on'],
    ['n', 'on'],
    ['\u001b[C', 'on'],
    ['b', 'back'],
    ['\u001b[D', 'back'],
    ['r', 'restart'],
    ['q', 'end'],
    ['\u0003', 'interrupt'],
    ['\u0004', 'end'],
    ['?', 'help'],
  ] as const) {
    it(`maps ${JSON.stringify(text)} to ${key}`, async () => {
      expect(await typed(text, 1)).to.deep.equal([key]);
    });
  }

  it('arrive in the order typed, and unknown ones are ignored', async () => {
    expect(await typed('xyz n\u001b[A\tb', 3)).to.deep.equal(['on', 'on', 'back']);
    expect(keyOf('n', { name: 'n', ctrl: true })).to.equal(undefined);
    expect(keyOf(undefined, { name: 'constructor' })).to.equal(undefined);
  });

  it('end with the input, with an interruption, and at once with Ctrl-C', async () => {
    const input = new PassThrough();
    const keys = keysFrom(input, never);
    input.end();
    await keys.ended;
    expect([await keys.next(), await keys.next()]).to.deep.equal(['end', 'end']);
    const interrupted = keysFrom(new PassThrough(), Promise.resolve());
    expect(await interrupted.next()).to.equal('end');
    const other = new PassThrough();
    const eager = keysFrom(other, never);
    other.write('nnn\u0003');
    await eager.ended;
    expect(await eager.next()).to.equal('interrupt');
  });

  it('drop what was typed ahead, except quitting', async () => {
    const input = new PassThrough();
    const keys = keysFrom(input, never);
    input.write('nnqb');
    await turn();
    keys.forget();
    expect(await keys.next()).to.equal('end');
    keys.close();
  });
});
