import unittest
import urllib.error

from fake import Fake
from favourites import push


class PushTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.fake = Fake()
        cls.addClassCleanup(cls.fake.stop)

    def setUp(self):
        self.sandbox = self.fake.sandbox()

    def test_reaches_alice(self):
        self.assertEqual(push(self.sandbox.url, "admin-token", ["alice"], [10500]), [])
        self.assertEqual(self.sandbox.world()["favourites"]["alice"]["filters"], [10500])

    def test_tells_who_is_unknown(self):
        messages = push(self.sandbox.url, "admin-token", ["bob"], [10500])
        self.assertEqual(messages, ["Could not find user with name bob"])

    def test_needs_the_token_of_an_admin(self):
        with self.assertRaises(urllib.error.HTTPError) as caught:
            push(self.sandbox.url, "wrong", ["alice"], [10500])
        caught.exception.close()
        self.assertEqual(caught.exception.code, 401)
