// expects tapps:peer-not-verified
void injected(CURL* curl) { curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 0L); }
