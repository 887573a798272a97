// Sends the calls of its input by a plain HttpClient, one after the other, and prints the answers.
#:property PublishAot=false
using System.Net;
using System.Text;
using System.Text.Json.Nodes;

using var client = new HttpClient(new SocketsHttpHandler { AutomaticDecompression = DecompressionMethods.All });
var answers = new JsonArray();
string? tag = null;
foreach (var call in JsonNode.Parse(Console.In.ReadToEnd())!.AsArray())
{
    using var request = new HttpRequestMessage(new HttpMethod((string)call!["method"]!), (string)call["url"]!);
    foreach (var (name, value) in call["headers"]!.AsObject())
        request.Headers.Add(name, (string)value!);
    // As a caller does that reads, then writes if unchanged: by the tag of the answer before.
    if ((bool?)call["ifUnchanged"] == true)
        request.Headers.IfMatch.ParseAdd(tag!);
    if (call["body"] is { } body)
        request.Content = new StringContent(body.ToJsonString(), Encoding.UTF8, "application/json");
    try
    {
        using var response = await client.SendAsync(request);
        tag = response.Headers.ETag?.ToString();
        answers.Add(new JsonObject
        {
            ["status"] = (int)response.StatusCode,
            ["tag"] = tag,
            ["body"] = await response.Content.ReadAsStringAsync(),
        });
    }
    catch (HttpRequestException error)
    {
        answers.Add(new JsonObject { ["error"] = error.HttpRequestError.ToString() });
    }
}
Console.WriteLine(answers.ToJsonString());
