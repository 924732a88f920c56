// The random courses of tests/model for longer, and many concurrent requests.
import { testCourses } from '../../model/courses/courses.js';

testCourses(6_000, 3_000);
