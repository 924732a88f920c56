// The profiles: their readings, the nearest one to given readings, and which readings override which.
import { expect } from 'chai';
import { defaultReadings, gapIds, isReading } from '../../../server/operations/gaps/gaps.js';
import {
  chosenProfile,
  chosenReadings,
  nearestProfile,
  profileNames,
  profileReadings,
  profiles,
} from '../../../server/operations/gaps/profiles.js';

describe('a profile', () => {
  for (const name of profileNames) {
    it(`${name} has a reading for each gap, and names only those that are not the first`, () => {
      const whole = profileReadings(name);
      expect(Object.keys(whole)).to.have.members(gapIds);
      for (const gap of gapIds) expect(isReading(gap, whole[gap]), `${gap}=${whole[gap]}`).to.equal(true);
      const named = Object.keys(profiles[name].readings);
      expect(gapIds.filter(gap => whole[gap] !== defaultReadings[gap])).to.have.members(named);
    });

    it(`${name} is the nearest to its own readings, and to all but one of them`, () => {
      expect(nearestProfile(profileReadings(name))).to.deep.equal({ name, otherwise: [] });
      const other = { ...profileReadings(name), 'is-unique-match': 'both' } as const;
      expect(nearestProfile(other)).to.deep.equal({ name, otherwise: ['is-unique-match'] });
    });
  }

  it('is lenient by default, and the first of those that are equally near', () => {
    expect(profileReadings('lenient')).to.deep.equal(defaultReadings);
    expect(chosenProfile({}, { readings: { 'no-change': '409' } })).to.equal('lenient');
    expect(nearestProfile({})).to.deep.equal({ name: 'lenient', otherwise: [] });
    expect(nearestProfile({ 'wiki-auth': 'admin' })).to.deep.equal({ name: 'strict', otherwise: [] });
  });

  it('chosen in the most specific place counts, and single readings override it, again the most specific first', () => {
    const server = { profile: 'strict', readings: { 'wiki-auth': 'open', 'no-change': 'ok' } } as const;
    const scenario = { profile: 'realistic', readings: { 'no-change': '409' } } as const;
    expect(chosenProfile(server, scenario, {})).to.equal('realistic');
    expect(chosenReadings(server, scenario, { readings: { 'unknown-user': 'skip' } })).to.deep.equal({
      ...profileReadings('realistic'),
      'wiki-auth': 'open',
      'no-change': '409',
      'unknown-user': 'skip',
    });
  });
});
