// Every other name that each object of the language has, in every request.
import { testNames } from '../../security/prototype-names.js';

testNames(['constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__']);
