import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Each test has a sandbox of its own: a new name in the path of its base URL. */
class GroupsTest {
    private final HttpClient client = HttpClient.newHttpClient();
    private final String fake = System.getenv("CWX_FAKE_URL");
    private final String sandbox = "test-" + UUID.randomUUID();

    @Test
    void addsAMember() throws Exception {
        assertEquals(200, addUsers("{\"group\":\"customers\",\"users\":[\"alice\"]}").statusCode());
        assertTrue(world().contains("\"customers\":[\"alice\"]"));
    }

    @Test
    void tellsWhatIsAGuess() throws Exception {
        HttpResponse<String> response = addUsers("{\"group\":\"customers\",\"users\":[\"bob\"]}");
        assertEquals(404, response.statusCode());
        assertTrue(response.headers().firstValue("X-Fake-Gaps").orElse("").contains("unknown-user=404"));
        assertTrue(world().contains("\"customers\":[]"));
    }

    private HttpResponse<String> addUsers(String body) throws Exception {
        URI uri = URI.create(fake + "/~" + sandbox + "/rest/cwxapiextension/latest/groups/add-users");
        HttpRequest request = HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
        return client.send(request, BodyHandlers.ofString());
    }

    private String world() throws Exception {
        URI uri = URI.create(fake + "/_fake/v1/sandboxes/" + sandbox + "/world");
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
    }
}
