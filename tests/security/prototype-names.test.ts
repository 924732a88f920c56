// The most dangerous property name, in every request. tests/proof has the others.
import { testNames } from './prototype-names.js';

testNames(['__proto__']);
