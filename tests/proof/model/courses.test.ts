// The random courses of tests/model for longer, and many concurrent requests.
import { testAtOnce } from '../../model/courses/at-once.js';
import { testCourses } from '../../model/courses/courses.js';

testCourses(10_000);
testAtOnce(5_000);
